package shop

import shop.tools.{Crate => Box, Checks}
import shop.tools.Checks.check

trait Store {
  def find(id: String): Option[Item]
}

class MapStore extends Store { //: implements Store
  private val items: Map[String, Item] = Map()
  def find(id: String): Option[Item] = items.get(id) //: overrides Store.find
}

class Item(val price: Int) {
  def this(name: String, price: Int) = this(price)
  def twin: Item = copy() //: calls Item.copy
  def copy(): Item = new Item(price) //: calls Item
  def sell(): Unit = {}
}

object Item {
  def cheap(): Item = new Item(1) //: calls Item
}

class Gift extends Item(3) { //: inherits Item
  override def sell(): Unit = { super.sell(); tie() } //: calls Item.sell, Gift.tie
  private def tie(): Unit = {}
}

case class Tag(text: String)

class Desk(store: Store) {
  def run(gifts: List[Gift], o: Any): Unit = {
    val tag = Tag("x") //: calls Tag
    store.find("a") //: calls Store.find, MapStore.find
    gifts.foreach(g => g.sell()) //: calls Gift.sell
    for (g <- gifts) g.sell() //: calls Gift.sell
    val item = Item.cheap() //: calls Item#2.cheap
    item.twin.copy() //: calls Item.twin, Item.copy
    o match {
      case g: Gift => g.sell() //: calls Gift.sell
      case _ => check(1) //: calls Tools.scala::Checks.check
    }
    new Box().open() //: calls Tools.scala::Crate, Tools.scala::Crate.open
    Checks.check("x") //: calls Tools.scala::Checks.check#2
    def local(n: Int): Unit = check(n) //: calls Tools.scala::Checks.check
    local(2) //: calls Desk.run.local
  }
}
