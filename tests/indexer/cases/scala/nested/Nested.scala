package shapes

object Shapes {
  case class Circle(radius: Int) {
    def area: Int = radius * radius
    def grow(): Circle = Shapes.Circle(radius + 1) //: calls Shapes.Circle
  }

  class Box {
    def open(): Unit = {}
  }
}

object Use {
  def run(): Unit = {
    Shapes.Circle(1).grow() //: calls Shapes.Circle, Shapes.Circle.grow
    Shapes.Box().open() //: calls Shapes.Box, Shapes.Box.open
    new Shapes.Box().open() //: calls Shapes.Box, Shapes.Box.open
  }
}
