from base import Named, Shape  #: imports base.py; references base.py::Named, base.py::Shape


class Circle(Named, Shape):  #: inherits base.py::Named, base.py::Shape
    def __init__(self, radius):
        self.radius = radius

    def measure(self):
        return self.radius  #: references Circle.radius

    def describe(self):  #: overrides base.py::Named.describe
        return super().describe()  #: calls base.py::Named.describe


class Dot(Circle):
    pass


def draw():
    dot = Dot(0)  #: calls Dot, Circle.__init__
    dot.area()  #: calls base.py::Shape.area
    dot.describe()  #: calls Circle.describe
    Circle.measure(dot)  #: calls Circle.measure
