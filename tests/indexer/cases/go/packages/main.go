package main

import (
	"fmt"

	"example.org/shop/store" //: imports store/store.go, store/prices.go
	money "example.org/shop/currency/v2" //: imports currency/v2/money.go
)

func main() { //: references -
	s := store.Open() //: calls store/store.go::Open
	s.Sell(money.New(3)) //: calls store/store.go::Store.Sell, currency/v2/money.go::New
	fmt.Println(store.Rebate) //: calls -; references store/prices.go::Rebate
	helper() //: calls helper.go::helper
}
