func check(_ n: Int, strict: Bool = false) -> Bool { return true }
func log(_ text: String) {}
func log(_ text: String, level: Int) { log(text) } //: calls log

extension Item {
    func wrap() { sell() } //: calls Shop.swift::Item.sell, Shop.swift::Gift.sell
}
