package p

type Shape interface {
	Area() float64
	Scale(by float64) Shape
}

type Square struct{ side float64 } //: implements Shape

func (s Square) Area() float64 { return s.side } //: overrides Shape.Area
func (s Square) Scale(by float64) Shape { return s }

// Wrong has the names, but not the types.
type Wrong struct{} //: implements -

func (Wrong) Area() int { return 1 }
func (Wrong) Scale(by float64) Shape { return nil }

type Circle struct{ r float64 } //: implements Shape
