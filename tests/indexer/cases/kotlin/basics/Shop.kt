package shop

import shop.tools.check
import shop.tools.Crate as Box
import shop.tools.*

interface Store {
    fun find(id: String): Item?
}

class MapStore : Store { //: implements Store
    private val items = mutableMapOf<String, Item>()
    override fun find(id: String): Item? = items[id] //: overrides Store.find
}

open class Item(val price: Int, var name: String = "x") {
    constructor(name: String) : this(1, name)
    val twin: Item get() = copy() //: calls Item.copy
    fun copy(): Item = Item(price) //: calls Item
    open fun sell() {}
}

class Gift : Item(3) { //: inherits Item
    override fun sell() { super.sell(); tie() } //: overrides Item.sell; calls Item.sell, Gift.tie
    private fun tie() {}
}

typealias Present = Gift

fun makeStore(): Store = MapStore() //: calls MapStore

class Desk(private val store: Store) {
    private val gifts: List<Gift> = listOf()
    val last by lazy { Gift() } //: calls Gift

    fun run(o: Any) {
        store.find("a")?.sell() //: calls Store.find, MapStore.find, Item.sell, Gift.sell
        val item = Item("y") //: calls Item, Item.constructor
        item.twin.sell() //: calls Item.sell, Gift.sell
        gifts.forEach { it.sell() } //: calls Gift.sell
        gifts.map { g -> g.copy() }.forEach { it.twin } //: calls Item.copy
        for (gift in gifts) { gift.sell() } //: calls Gift.sell
        if (o is Gift) { o.sell() } //: calls Gift.sell
        when (o) {
            is Gift -> o.sell() //: calls Gift.sell
            else -> check(1) //: calls Tools.kt::check
        }
        check("x") //: calls Tools.kt::check#2
        Box().open() //: calls Tools.kt::Crate, Tools.kt::Crate.open
        Crate.sealed() //: calls Tools.kt::Crate.sealed
        Present().copy() //: calls Gift, Item.copy
        makeStore().find("b") //: calls makeStore, Store.find, MapStore.find
        last.sell() //: calls Gift.sell
        fun local(n: Int) = check(n) //: calls Tools.kt::check
        local(2) //: calls Desk.run.local
        listOf(1).forEach(::show) //: calls Desk.show
        (o as Item).sell() //: calls Item.sell, Gift.sell
    }

    private fun show(n: Int) {}
}
