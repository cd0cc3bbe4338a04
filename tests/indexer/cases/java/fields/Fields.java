class Engine {
    int power;
    Engine twin;
    void start() {}
}

class Car {
    Engine engine = new Engine();
    static Engine spare;

    void run(Car other) {
        engine.start(); //: calls Engine.start; references Car.engine
        this.engine.twin.start(); //: calls Engine.start; references Car.engine, Engine.twin
        other.engine.power = 3; //: references Car.engine, Engine.power
        Car.spare.start(); //: calls Engine.start; references Car, Car.spare
        Engine engine = null;
        engine.twin = spare; //: references Engine.twin, Car.spare
    }
}
