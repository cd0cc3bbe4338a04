package shop

import shop.tools.Checks

class Item {
    String name
    Item copy() { return new Item() } //: calls Item
    void sell() {}
}

class Gift extends Item { //: inherits Item
    void sell() { super.sell() } //: calls Item.sell; overrides Item.sell
}

class Desk {
    private Item item = new Item() //: calls Item

    void run(List<Gift> gifts, String text) {
        def gift = new Gift() //: calls Gift
        gift.sell() //: calls Gift.sell
        item?.copy() //: calls Item.copy
        boolean ok = Checks.check(text) //: calls Checks.groovy::Checks.check
        show(gift) //: calls Desk.show
    }

    void show(Item item) {}
}
