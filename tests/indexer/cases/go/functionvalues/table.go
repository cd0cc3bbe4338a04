package p

type Handler func(string)

func hello(s string) {}
func bye(s string)   {}

var table = map[string]Handler{"hello": hello, "bye": bye} //: references hello, bye, Handler

func dispatch(name string) {
	table[name]("x") //: calls hello, bye
}

func (h Handler) Serve() { h("x") }

func use() {
	Handler(hello).Serve() //: calls Handler.Serve; references hello, Handler
}
