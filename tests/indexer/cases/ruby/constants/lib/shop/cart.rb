module Shop
  class Cart
    class Line
      def total
        LIMIT #: references lib/shop.rb::Shop.LIMIT
      end
    end

    def add(item)
      Line.new.total #: calls Shop.Cart.Line, Shop.Cart.Line.total
      item.price #: calls lib/shop/item.rb::Shop.Item.price
      Shop.open #: calls lib/shop.rb::Shop.open
    end
  end
end
