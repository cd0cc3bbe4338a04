class Vehicle {
    Vehicle(String name) {}
}

class Car extends Vehicle { //: inherits Vehicle
    Car() {
        this("car", 4); //: calls Car.Car#2
    }

    Car(String name, int wheels) {
        super(name); //: calls Vehicle.Vehicle
    }

    static Car make() {
        return new Car("x", 3); //: calls Car, Car.Car#2
    }
}

class Plain {
    Plain copy() {
        return new Plain(); //: calls Plain
    }
}
