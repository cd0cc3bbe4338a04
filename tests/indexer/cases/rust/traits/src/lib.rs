pub trait Shape {
    fn area(&self) -> f64;
    fn twice(&self) -> f64 { self.area() * 2.0 } //: calls Shape.area, Square.area, Circle.area
}

pub struct Square; //: implements Shape
impl Shape for Square {
    fn area(&self) -> f64 { 1.0 } //: overrides Shape.area
}

pub struct Circle; //: implements Shape
impl Shape for Circle {
    fn area(&self) -> f64 { 3.0 }
}

fn dynamic(s: &dyn Shape, b: Box<dyn Shape>) {
    s.area(); //: calls Shape.area, Square.area, Circle.area
    b.twice(); //: calls Shape.twice
}

fn exact(q: Square) {
    q.area(); //: calls Square.area
    q.twice(); //: calls Shape.twice
}

fn generic<S: Shape>(s: S, t: impl Shape) {
    s.twice(); //: calls Shape.twice
    t.twice(); //: calls Shape.twice
}

fn bounded<S>(s: &S) where S: Shape {
    s.twice(); //: calls Shape.twice
    Square::area(&Square); //: calls Square.area
    <Circle as Shape>::area(&Circle); //: calls Circle.area
}
