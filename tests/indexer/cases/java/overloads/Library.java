import java.lang.reflect.Type;

class Library {
    void read(Object o, Type t) {}
    void read(Shape s, Appendable a) {}
    void take(String s) {}
    void take(int n) {}
    void take(boolean b) {}
    void take(double d) {}
    void take(Number n) {}
    void take(char c) {}

    void use(Square q, String s, Object o) {
        read(q, Square.class); //: calls Library.read
        take(s.trim());        //: calls Library.take
        take(s.length());      //: calls Library.take#2
        take(s.isEmpty());     //: calls Library.take#3
        take(o.hashCode() / 2.0); //: calls Library.take#4
        take(s.charAt(0));     //: calls Library.take#6
        take(unknown());       //: calls -; calls? Library.take, Library.take#2, Library.take#3, Library.take#4, Library.take#5, Library.take#6
    }
}
