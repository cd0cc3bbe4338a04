record Point(int x, Line line) {
    Point {
        check(x); //: calls Point.check
    }

    static void check(int n) {}

    void f() {
        line.draw(); //: calls Line.draw; references Point.line
    }
}

class Line {
    void draw() {}

    Point start() {
        return new Point(1, this); //: calls Point, Point.Point
    }
}

class Use {
    void f(Point p) {
        p.line().draw(); //: calls Line.draw
    }
}
