object Registry {
    private val all = arrayListOf<Task>()
    fun add(task: Task) { all.add(task); all.first().run() } //: calls Task.run
}

fun interface Task {
    fun run()
}

enum class Level(val n: Int) {
    LOW(1),
    HIGH(2);

    fun up(): Level = HIGH
}

fun use(level: Level) {
    val task: Task = object : Task {
        override fun run() { level.up() } //: calls Level.up
    }
    Registry.add(task) //: calls Registry.add
    task.run() //: calls Task.run
    Level.LOW.up().up() //: calls Level.up
}
