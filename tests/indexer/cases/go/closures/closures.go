package p

type Task struct{ run func() }

func work()  {}
func other() {}

func use() {
	f := work
	f() //: calls work
	var rec func(int)
	rec = func(n int) {
		work() //: calls work
		rec(n)
	}
	go func() { other() }() //: calls other
	t := Task{run: other} //: references Task, Task.run, other
	t.run() //: calls other
	apply(work) //: calls apply
}

func apply(f func()) {
	f() //: calls work
}
