import 'tools.dart';
import 'crates.dart' as boxes;

class Item {
  final int price;
  Item(this.price);
  Item.cheap() : price = 1;
  Item get twin => copy(); //: calls Item.copy
  Item copy() => Item(price); //: calls Item, Item.Item
  void sell() {}
}

class Gift extends Item { //: inherits Item
  Gift(int price) : super(price);
  void sell() { super.sell(); tie(); } //: calls Item.sell, Gift.tie; overrides Item.sell
  void tie() {}
}

class Desk {
  final Gift gift;
  final List<Gift> gifts = [];
  Desk(this.gift);

  void run(Gift? other) {
    gift.tie(); //: calls Gift.tie
    other?.tie(); //: calls Gift.tie
    gifts.forEach((g) => g.tie()); //: calls Gift.tie
    for (var g in gifts) { g.tie(); } //: calls Gift.tie
    var item = Item.cheap(); //: calls Item.cheap
    if (!check(1)) return; //: calls tools.dart::check
    boxes.open(2); //: calls crates.dart::open
    new Gift(2)..tie(); //: calls Gift, Gift.Gift, Gift.tie
    gift.copy().copy(); //: calls Item.copy
  }
}
