class Print {
    void out(String s) {}
    void out(int n) {}
    void out(Object o) {}
    void out(String s, int n) {}
    void out(String s, Object... rest) {}

    void use(String text, Integer boxed, Shape shape) {
        out("x");          //: calls Print.out
        out(3);            //: calls Print.out#2
        out(text + 1);     //: calls Print.out
        out(boxed);        //: calls Print.out#2
        out(shape);        //: calls Print.out#3
        out("x", 1);       //: calls Print.out#4
        out("x", 1, 2, 3); //: calls Print.out#5
        this.out(text.length() > 2 ? "a" : "b"); //: calls Print.out
    }
}

class Shape {}

class Square extends Shape {
    static void draw(Shape s) {}
    static void draw(Square s) {}

    void use(Shape s, Square q) {
        draw(s); //: calls Square.draw
        draw(q); //: calls Square.draw#2
        draw(new Square()); //: calls Square.draw#2, Square
    }
}
