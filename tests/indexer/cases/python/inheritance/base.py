class Shape:
    def area(self):
        return self.measure()  #: calls circle.py::Circle.measure

    def describe(self):
        return "shape"


class Named:
    def describe(self):
        return super().describe()  #: calls Shape.describe
