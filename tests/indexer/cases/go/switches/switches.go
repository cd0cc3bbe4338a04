package p

type Cat struct{}

func (Cat) Meow() {}

type Dog struct{}

func (*Dog) Bark() {}

func use(pet any) {
	switch p := pet.(type) {
	case Cat:
		p.Meow() //: calls Cat.Meow
	case *Dog:
		p.Bark() //: calls Dog.Bark
	}
	if d, ok := pet.(*Dog); ok {
		d.Bark() //: calls Dog.Bark
	}
	switch n := count(); n { //: calls count
	case 1:
		count() //: calls count
	}
}

func count() int { return 1 }
