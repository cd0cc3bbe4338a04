class Api
  define_method(:ping) { pong } #: calls Api.pong
  alias_method :echo, :pong_twice

  def pong
  end

  def pong_twice
    send(:pong) #: calls Api.pong
  end
  alias again pong_twice

  def call(env)
    method(:pong).call #: calls Api.pong
    public_send(:ping, 1) #: calls Api.ping
  end
end

Point = Struct.new(:x, :y) do
  def length
    x #: calls Point.x
  end
end

class Pair < Struct.new(:left)
  def swap
    left #: calls Pair.left
  end
end

Made = Class.new(Api) do
  def extra
    pong #: calls Api.pong
  end
end

api = Api.new #: calls Api
api.ping #: calls Api.ping
api.again #: calls Api.pong_twice
api.echo #: calls Api.pong_twice
api.call({}) #: calls Api.call
Point.new(1, 2).length #: calls Point, Point.length
Made.new.extra #: calls Made, Made.extra
