require "forwardable"

class Engine
  def start
  end

  def [](key)
  end
end

class Car
  extend Forwardable
  def_delegators :@engine, :start #: calls Engine.start
  def_delegator :@engine, :start, :ignite #: calls Engine.start
  delegate :start, to: :engine #: calls Car.engine, Engine.start
  attr_reader :engine

  def initialize
    @engine = Engine.new #: calls Engine
  end

  def go
    ignite #: calls Car.ignite
    @engine[1] #: calls Engine.[]
    @engine.then { |e| e.start } #: calls Engine.start
    @engine.tap { |e| e.start }.start #: calls Engine.start
    case [1, @engine]
    in [Integer, Engine => found]
      found.start #: calls Engine.start
    end
  end
end
