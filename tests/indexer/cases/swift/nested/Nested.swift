struct Outer {
    struct Inner {
        let size: Int
        init(size: Int) { self.size = size }
        func show() {}
    }

    enum Space {
        final class Deep {
            func show() {}
        }
    }

    func Make() -> Inner { Inner(size: 1) } //: calls Outer.Inner, Outer.Inner.init
}

func use(outer: Outer) {
    Outer.Inner(size: 2).show() //: calls Outer.Inner, Outer.Inner.init, Outer.Inner.show
    Outer.Space.Deep().show() //: calls Outer.Space.Deep, Outer.Space.Deep.show
    let deep = Outer.Space.Deep() //: calls Outer.Space.Deep
    deep.show() //: calls Outer.Space.Deep.show
    outer.Make().show() //: calls Outer.Make, Outer.Inner.show
}
