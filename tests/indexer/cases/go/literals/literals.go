package p

type Point struct{ X, Y int }

func (Point) Norm() {}

type Line struct {
	From, To *Point
	Tags     []Point
}

func use() {
	l := Line{From: &Point{1, 2}, To: &Point{}} //: references Line, Line.From, Line.To, Point; calls -
	l.From.Norm() //: calls Point.Norm
	l.Tags[0].Norm() //: calls Point.Norm
	for _, p := range []Point{{1, 2}, {3, 4}} {
		p.Norm() //: calls Point.Norm
	}
	anon := []struct{ at Point }{{Point{}}}
	anon[0].at.Norm() //: calls Point.Norm
	new(Point).Norm() //: calls Point.Norm
}
