struct Base {
  explicit Base(int n) {}
};

struct Point : Base {
  Point() : Base(0) {} //: calls Base.Base
  Point(int x, int y) : Base(x) {} //: calls Base.Base
  int norm() { return 0; }
};

void use() {
  auto a = Point(1, 2); //: calls Point, Point.Point#2
  a.norm(); //: calls Point.norm
  Point* b = new Point(); //: calls Point, Point.Point
  b->norm(); //: calls Point.norm
  Point c(1, 2); //: calls Point, Point.Point#2
  Point d{1, 2}; //: calls Point, Point.Point#2
  Point e; //: calls -
}
