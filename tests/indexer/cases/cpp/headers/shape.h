#pragma once
namespace geo {
class Shape {
 public:
  explicit Shape(int sides);
  virtual ~Shape() = default;
  virtual double area() const = 0;
  int sides() const; //: references shape.cc::geo.Shape.sides
  static Shape* make(int sides);

 protected:
  int sides_;
};
double total(const Shape& shape, int times = 1);
}  // namespace geo
