package p

type A struct{}

func (A) Go() {}

type B struct{}

func (B) Go() {}

func use() {
	x := A{}
	{
		x := B{}
		x.Go() //: calls B.Go
	}
	x.Go() //: calls A.Go
	if x := (B{}); true {
		x.Go() //: calls B.Go
	}
	len := func(a A) { a.Go() } //: calls A.Go
	len(x)
	var y interface{ Go() }
	y = x
	y.Go() //: calls A.Go
}
