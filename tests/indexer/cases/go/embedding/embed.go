package p

type Base struct{ id int }

func (b *Base) ID() int   { return b.id }
func (b *Base) Name() string { return "base" }

type Logger struct{}

func (Logger) Log(s string) {}

type User struct { //: inherits Base, Logger
	*Base
	Logger
	age int
}

func (u *User) Name() string { //: overrides Base.Name
	return u.Base.Name() //: calls Base.Name
}

func use(u *User) {
	u.ID()      //: calls Base.ID
	u.Log("x")  //: calls Logger.Log
	u.Name()    //: calls User.Name
}
