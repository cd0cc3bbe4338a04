sealed interface Shape permits Circle, Square {}

record Circle(Ink ink) implements Shape {
    void roll() {}
}

record Square(Ink ink) implements Shape {
    void stack() {}
}

class Ink {
    void dry() {}
}

class Patterns {
    void byInstance(Object shape) {
        if (shape instanceof Circle circle) {
            circle.roll(); //: calls Circle.roll
        }
        if (shape instanceof Square(Ink ink)) {
            ink.dry(); //: calls Ink.dry
        }
        if (!(shape instanceof Square square)) {
            return;
        }
        square.stack(); //: calls Square.stack
    }

    int bySwitch(Shape shape) {
        return switch (shape) {
            case Circle circle -> {
                circle.roll(); //: calls Circle.roll
                yield 1;
            }
            case Square(Ink ink) -> {
                ink.dry(); //: calls Ink.dry
                yield 2;
            }
        };
    }
}
