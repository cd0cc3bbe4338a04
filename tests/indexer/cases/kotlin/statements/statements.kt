class Trouble : Exception() {
    fun tell() {}
}

class File {
    fun read() {}
    val name = "x"
}

sealed interface Shape

class Circle : Shape {
    fun roll() {}
}

class Square : Shape {
    fun stack() {}
}

data class Pair2(val left: File, val right: Circle)

fun load(): File = File() //: calls File

fun loops(files: List<File>, named: Map<String, File>) {
    for (file in files) {
        file.read() //: calls File.read
    }
    for ((key, file) in named) {
        file.read()
    }
    while (files.isEmpty()) {
        load().read() //: calls load, File.read
    }
    do {
        val file = load() //: calls load
        file.read() //: calls File.read
    } while (true)
    files.forEach { it.read() } //: calls File.read
}

fun failing(): File {
    try {
        load().read() //: calls load, File.read
    } catch (trouble: Trouble) {
        trouble.tell() //: calls Trouble.tell
    } finally {
        load() //: calls load
    }
    val file = try { load() } catch (error: Trouble) { throw error } //: calls load
    file.read() //: calls File.read
    return file
}

fun patterns(shape: Shape, thing: Any?) {
    when (shape) {
        is Circle -> shape.roll() //: calls Circle.roll
        is Square -> shape.stack() //: calls Square.stack
    }
    if (thing is Circle) {
        thing.roll() //: calls Circle.roll
    }
    if (thing !is Square) return
    thing.stack()
}

fun values(pair: Pair2, flag: Boolean, maybe: File?) {
    val (left, right) = pair
    left.read()
    right.roll()
    val chosen = if (flag) File() else load() //: calls File, load
    chosen.read() //: calls File.read
    val picked = when { flag -> Circle() else -> Circle() } //: calls Circle
    picked.roll() //: calls Circle.roll
    maybe?.read() //: calls File.read
    (maybe ?: load()).read() //: calls File.read, load
    (maybe as File).read() //: calls File.read
    maybe!!.read() //: calls File.read
    val inner = fun() { load() } //: calls load
    inner()
}
