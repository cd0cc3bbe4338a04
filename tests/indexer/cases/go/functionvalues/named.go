package p

var greet = func(s string) { hello(s) } //: calls table.go::hello

var first, second = func() { greet("x") }, 3 //: calls greet

type worker struct{}

func (worker) work(n int) {}

func values(w worker) {
	greet("x") //: calls greet
	first() //: calls first
	f := w.work
	f(1) //: calls worker.work
	worker.work(w, 2) //: calls worker.work
	make3()() //: calls make3
}

func make3() func() { return func() { bye("x") } } //: calls table.go::bye
