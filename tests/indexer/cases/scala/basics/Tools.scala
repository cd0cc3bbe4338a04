package shop.tools

object Checks {
  def check(n: Int): Unit = {}
  def check(s: String, strict: Boolean = false): Unit = {}
}

class Crate {
  def open(): Unit = {}
}
