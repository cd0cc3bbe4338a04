package p

type Account struct{ balance int }

func (a *Account) Deposit(x int) { a.check(); a.balance += x } //: calls more.go::Account.check
