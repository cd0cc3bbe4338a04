package p

func (c *Circle) Area() float64 { return c.r }
func (c *Circle) Scale(by float64) Shape { return c }

func measure(s Shape) float64 {
	return s.Scale(2).Area() //: calls shapes.go::Shape.Scale, shapes.go::Square.Scale, Circle.Scale, shapes.go::Shape.Area, shapes.go::Square.Area, Circle.Area
}

func exact(q Square) { q.Area() } //: calls shapes.go::Square.Area
