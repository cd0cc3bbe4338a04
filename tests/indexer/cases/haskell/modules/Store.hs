module Shop.Store (save, find) where
save x = find x >>= keep -- #: calls find, keep
find x = return x
keep x = x `seq` find x -- #: calls find
