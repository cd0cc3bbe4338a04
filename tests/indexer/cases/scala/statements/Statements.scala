class Trouble extends Exception {
  def tell(): Unit = ()
}

class File {
  def read(): Unit = ()
}

sealed trait Shape

case class Circle(ink: File) extends Shape {
  def roll(): Unit = ()
}

class Square extends Shape {
  def stack(): Unit = ()
}

object Statements {
  def open(): File = new File() //: calls File

  def loops(files: List[File]): Unit = {
    for (file <- files) {
      file.read() //: calls File.read
    }
    val all = for (file <- files) yield file
    all.head.read() //: calls File.read
    files.foreach(file => file.read()) //: calls File.read
    files.foreach(_.read())
    while (files.isEmpty) {
      open().read() //: calls Statements.open, File.read
    }
  }

  def failing(): Unit = {
    try {
      open().read() //: calls Statements.open, File.read
    } catch {
      case trouble: Trouble =>
        trouble.tell() //: calls Trouble.tell
    } finally {
      open() //: calls Statements.open
    }
    throw new Trouble() //: calls Trouble
  }

  def patterns(shape: Shape, flag: Boolean): Unit = {
    shape match {
      case circle: Circle => circle.roll() //: calls Circle.roll
      case square: Square if flag =>
        square.stack() //: calls Square.stack
      case _ => open() //: calls Statements.open
    }
    shape match {
      case Circle(ink) =>
        ink.read()
    }
    val chosen = if (flag) new File() else open() //: calls File, Statements.open
    chosen.read() //: calls File.read
    val (left, right) = (new File(), new Square()) //: calls File, Square
    left.read()
    right.stack()
    lazy val late: File = open() //: calls Statements.open
    late.read() //: calls File.read
    val make = () => new Square() //: calls Square
    make().stack() //: calls Square.stack
    shape.asInstanceOf[Circle].roll()
  }
}
