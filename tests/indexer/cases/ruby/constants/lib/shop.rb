require "shop/cart" #: imports lib/shop/cart.rb
require_relative "shop/item" #: imports lib/shop/item.rb

module Shop
  LIMIT = 3

  def self.open
    Cart.new.add(Item.new) #: calls lib/shop/cart.rb::Shop.Cart, lib/shop/cart.rb::Shop.Cart.add, lib/shop/item.rb::Shop.Item
    ::Item.new #: calls lib/shop/item.rb::Item
  end
end

Shop.open #: calls Shop.open
Shop::Cart::Line.new.total #: calls lib/shop/cart.rb::Shop.Cart.Line, lib/shop/cart.rb::Shop.Cart.Line.total
