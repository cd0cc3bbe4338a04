#include "shape.h"
int check(int n) { return n; }
int main() {
  geo::Shape* shape = geo::Shape::make(3); //: calls shape.h::geo.Shape.make
  geo::total(*shape); //: calls shape.cc::geo.total
  return check(shape->sides()); //: calls check, shape.cc::geo.Shape.sides
}
