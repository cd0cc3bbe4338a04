import Foundation

protocol Store {
    func find(_ id: String) -> Item?
}

class MapStore: Store { //: implements Store
    private var items: [String: Item] = [:]
    func find(_ id: String) -> Item? { return items[id] } //: overrides Store.find
}

class Item {
    let price: Int
    init(price: Int) { self.price = price }
    init(cheap: Bool) { self.price = 1 }
    var twin: Item { return copy() } //: calls Item.copy
    func copy() -> Item { return Item(price: price) } //: calls Item, Item.init
    func sell() {}
}

class Gift: Item { //: inherits Item
    override func sell() { super.sell(); tie() } //: calls Item.sell, Gift.tie
    private func tie() {}
    static let shared = Gift(price: 1)
}

class Desk {
    private let store: Store
    init(store: Store) { self.store = store }

    func run(gifts: [Gift], o: Item?) {
        store.find("a")?.copy() //: calls Store.find, MapStore.find, Item.copy
        let item = Item(cheap: true) //: calls Item, Item.init#2
        item.twin.copy() //: calls Item.copy
        gifts.forEach { $0.sell() } //: calls Gift.sell
        gifts.forEach { g in g.sell() } //: calls Gift.sell
        for gift in gifts { gift.sell() } //: calls Gift.sell
        if let found = o { found.copy() } //: calls Item.copy
        guard let left = o else { return }
        left.copy() //: calls Item.copy
        if !check(1) { log("x", level: 2) } //: calls Tools.swift::check, Tools.swift::log#2
        item.wrap() //: calls Tools.swift::Item.wrap
        Gift.shared.sell() //: calls Gift.sell
    }
}
