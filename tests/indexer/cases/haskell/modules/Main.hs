module Main where
import qualified Shop.Store as S -- #: imports Store.hs
import Shop.Checks (valid, Shape(..)) -- #: imports Checks.hs

data Order = Order { ident :: Int, rows :: [Int] }

limit = 10

total :: Order -> Int
total (Order _ []) = 0
total order = sum (map double (rows order)) -- #: calls total.double; references Order.rows
  where double x = twice x -- #: calls twice

twice :: Int -> Int
twice n = n * 2

place :: Order -> IO ()
place order
  | valid (ident order) = S.save order -- #: calls Checks.hs::valid, Store.hs::save
  | otherwise = audit $ total order -- #: calls audit, total

audit n = print (area n) -- #: calls Checks.hs::Shape.area

main :: IO ()
main = do
  start -- #: calls start
  found <- S.find 3 -- #: calls Store.hs::find
  let next = twice found -- #: calls twice
      late y = audit y -- #: calls audit
  mapM_ (\o -> place o) [] -- #: calls place
  late next -- #: calls main.late
  case found of
    0 -> audit 1 -- #: calls audit
    n -> (audit . twice) n -- #: calls audit, twice
  if valid found then S.find 1 >>= audit else return () -- #: calls Checks.hs::valid, Store.hs::find, audit

start = do
  audit limit -- #: calls audit; references limit
