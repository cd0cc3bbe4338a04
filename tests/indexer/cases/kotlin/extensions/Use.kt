package e

class Wall {
    fun wash() {}
}

fun Wall.paint(times: Int = 1) { wash(); this.wash() } //: calls Wall.wash
fun String.shorten(n: Int): String = this
val Wall.height: Int get() = 3

fun use(wall: Wall, text: String) {
    wall.paint() //: calls paint
    text.shorten(3).shorten(2) //: calls shorten
    wall.apply { wash() } //: calls Wall.wash
    wall.let { it.wash() } //: calls Wall.wash
    with(wall) { paint(2) } //: calls paint
    wall.also { w -> w.wash() }.wash() //: calls Wall.wash
    text.trim() //: calls -
}
