package shop.tools

fun check(n: Int) {}
fun check(s: String, strict: Boolean = false) {}

class Crate {
    fun open() {}

    companion object {
        fun sealed(): Crate = Crate() //: calls Crate
    }
}
