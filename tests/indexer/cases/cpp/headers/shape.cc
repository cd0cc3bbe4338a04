#include "shape.h" //: imports shape.h
namespace geo {
namespace {
int check(int n) { return n; }
}  // namespace
Shape::Shape(int sides) : sides_(check(sides)) {} //: calls geo.check
int Shape::sides() const { return check(sides_); } //: calls geo.check; references shape.h::geo.Shape.sides_
double total(const Shape& shape, int times) {
  return shape.area() * shape.sides() * times; //: calls shape.h::geo.Shape.area, geo.Shape.sides
}
}  // namespace geo
