package p

type User struct{}

func (User) Greet() {}

type Users []User

func (us Users) All() {
	for _, u := range us {
		u.Greet() //: calls User.Greet
	}
	us[0].Greet() //: calls User.Greet
}

type Index map[string]*User

func use(ix Index) {
	ix["a"].Greet() //: calls User.Greet
	Users{}.All()   //: calls Users.All
}

type Alias = User

func alias(a Alias) { a.Greet() } //: calls User.Greet

func local() {
	type pair struct{ a, b *User }
	p := pair{}
	p.a.Greet() //: calls User.Greet
}
