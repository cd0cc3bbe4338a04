package plugins

object Plugins {
  def start(name: String): Unit = ()

  def unknown(kind: Class[_]) = kind.getMethod("start", classOf[String]) //: calls Plugins.start

  def literal() = classOf[Audio].getMethod("play") //: calls Audio.play

  def library() = classOf[String].getMethod("start") //: calls -
}

class Audio {
  def play(): Unit = ()
}
