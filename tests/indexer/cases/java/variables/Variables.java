class A {
    B next() { return null; }
}

class B {
    A back() { return null; }
    void end() {}
}

class Use {
    void f(Object o) {
        var b = new A().next(); //: calls A, A.next
        b.end(); //: calls B.end
        var c = b.back().next(); //: calls B.back, A.next
        c.end(); //: calls B.end
        if (o instanceof B x && x.back() != null) { //: calls B.back
            x.end(); //: calls B.end
        }
        ((B) o).end(); //: calls B.end
        B picked = true ? b : c;
        picked.end(); //: calls B.end
        try {
            f(null); //: calls Use.f
        } catch (Fault e) {
            e.tell(); //: calls Fault.tell
        }
        try (Res r = Res.open()) { //: calls Res.open
            r.read(); //: calls Res.read
        }
    }
}

class Fault extends RuntimeException {
    void tell() {}
}

class Res implements AutoCloseable {
    static Res open() { return new Res(); }
    void read() {}
    public void close() {}
}
