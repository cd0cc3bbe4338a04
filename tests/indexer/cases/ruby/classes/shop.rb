class Item
  attr_reader :price, :owner

  def initialize(price, owner)
    @price = price
    @owner = owner
  end

  def self.free
    new(0, Person.new) #: calls Item, Item.initialize, Person
  end

  class << self
    def cheapest
      free #: calls Item.free
    end
  end

  def double
    price #: calls Item.price
  end

  def same
    self
  end
end

class Person
  def greet
  end

  def price
  end
end

class Offer < Item
  def initialize(price, owner)
    super #: calls Item.initialize
  end

  def double
    super() #: calls Item.double
    owner.greet #: calls Item.owner, Person.greet
    @owner.greet #: calls Person.greet; references Item.@owner
  end

  def self.cheapest
    super #: calls Item.cheapest
  end
end

class Counter
  attr_accessor :item

  def run
    self.item = Item.new(1, nil) #: calls Item, Item.initialize, Counter.item=
    item.double #: calls Counter.item, Item.double
    @item.same.double #: calls Item.same, Item.double; references Counter.@item
    helper 1 #: calls Counter.helper
    missing_everywhere #: calls -
  end

  private

  def helper(n)
    Item.cheapest.double #: calls Item.cheapest, Item.double
  end
end

def main
  offer = Offer.new(1, Person.new) #: calls Offer, Offer.initialize, Person
  offer.double #: calls Offer.double
  offer.price #: calls Item.price
  offer = Counter.new #: calls Counter
  offer.run #: calls Counter.run
  raise Broken, "no" #: calls Broken, Broken.initialize
end

class Broken < StandardError
  def initialize(message)
  end
end

main #: calls main

module Maker
  def self.new(name)
    Item.free #: calls Item.free
  end
end

Maker.new("x").double #: calls Maker.new, Item.double

class Plant
  def self.kind
  end

  def grow
    self.class #: calls -
    self.class.kind #: calls Plant.kind
    self.class.new.grow #: calls Plant, Plant.grow
  end
end
