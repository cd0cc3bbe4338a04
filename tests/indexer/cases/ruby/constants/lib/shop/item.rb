module Shop
  class Item
    def price
    end
  end
end

class Item
end
