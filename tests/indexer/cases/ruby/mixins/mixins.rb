module Loud
  def shout
    volume #: calls Dog.volume
  end
end

module Registry
  def register(name)
  end
end

module Plugin
  def self.included(base)
    base.extend(ClassMethods) #: calls -
  end

  module ClassMethods
    def configure
    end
  end
end

module Tools
  extend self

  def sharpen
  end

  def polish
    sharpen #: calls Tools.sharpen
  end
end

module Math2
  module_function

  def half(n)
  end
end

class Animal
  def shout
  end
end

class Dog < Animal
  include Loud
  extend Registry
  include Plugin
  register :dog #: calls Registry.register
  configure #: calls Plugin.ClassMethods.configure

  def volume
  end

  def bark
    shout #: calls Loud.shout
    Tools.polish #: calls Tools.polish
    Math2.half(2) #: calls Math2.half
  end
end

Dog.new.shout #: calls Dog, Loud.shout
Dog.register(:x) #: calls Registry.register
Dog.configure #: calls Plugin.ClassMethods.configure

class Parent
  def self.inherited(child)
    child.prepare #: calls Parent.prepare
  end

  def self.prepare
  end
end
