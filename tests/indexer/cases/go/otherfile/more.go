package p

// check lives far from its type.
func (a *Account) check() { a.log("x") } //: calls Account.log

func (a *Account) log(s string) {}

func use(a *Account) {
	a.Deposit(1) //: calls type.go::Account.Deposit
	a.check()    //: calls Account.check
}
