abstract type Record end
struct Item
    price::Float64
end
check(id) = id > 0
price(item::Item) = item.price #: references Item.price, Item
