#include "shapes.h"

SHAPES_INLINE Shape::~Shape() { fail("gone"); }  //: calls fail

SHAPES_API void fail(const char* why) {}

int Shape::area() { return twice(*this) + sides(); }  //: calls shapes.h::twice, shapes.h::Shape.sides

Shape make() {
  return Shape(4);  //: calls shapes.h::Shape, shapes.h::Shape.Shape
}
