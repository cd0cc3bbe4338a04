defmodule Shop do
  alias Shop.{Cart, Item} #: imports lib/cart.ex
  alias Shop.Cart, as: Basket #: imports lib/cart.ex
  import Shop.Helpers #: imports lib/cart.ex

  def open(item) do
    Cart.new() |> Cart.add(item) |> close() #: calls lib/cart.ex::Shop.Cart.new, lib/cart.ex::Shop.Cart.add, Shop.close
    Basket.add(1, 2) #: calls lib/cart.ex::Shop.Cart.add
    format(item) #: calls lib/cart.ex::Shop.Helpers.format
    mod = Cart
    mod.new() #: calls lib/cart.ex::Shop.Cart.new
    Enum.map([item], &close/1) #: calls Shop.close
    __MODULE__.open(item) #: calls Shop.open
    item.price
  end

  def open(nil, other), do: other

  defp close(cart) when is_map(cart), do: cart

  defdelegate total(cart), to: Cart #: calls lib/cart.ex::Shop.Cart.total

  defmodule Inner do
    def run, do: Shop.open(1) #: calls Shop.open
  end

  def inner, do: Inner.run() #: calls Shop.Inner.run
end
