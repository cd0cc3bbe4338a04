class Outer {
    private int count;

    void tick() {}

    class Inner {
        void go() {
            tick(); //: calls Outer.tick
            count++; //: references Outer.count
            Outer.this.tick(); //: calls Outer.tick
            new Leaf().fall(); //: calls Outer.Leaf, Outer.Leaf.fall
        }
    }

    static class Leaf {
        void fall() {}
    }

    Inner make() {
        return new Inner(); //: calls Outer.Inner
    }
}

class Other {
    Outer.Leaf leaf; //: references Outer, Outer.Leaf

    void f() {
        leaf.fall(); //: calls Outer.Leaf.fall
    }
}
