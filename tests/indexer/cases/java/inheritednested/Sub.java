import p.Base;

class Sub extends Base {
    void f(Part given) { //: references p/Base.java::Base.Part
        given.turn(); //: calls p/Base.java::Base.Part.turn
        part.turn(); //: calls p/Base.java::Base.Part.turn; references p/Base.java::Base.part
        new Part().turn(); //: calls p/Base.java::Base.Part, p/Base.java::Base.Part.turn
    }
}
