module Shop.Checks where
class Shape a where
  area :: a -> Int
  area x = base x -- #: calls base
instance Shape Int where
  area n = base n -- #: calls base; overrides Shape.area
base x = 1
valid n = n |> base -- #: calls base, |>
x |> f = f x
