abstract class Animal {
    abstract String sound();

    void speak() {
        sound(); //: calls Animal.sound, Dog.sound, Puppy.sound
    }
}

class Dog extends Animal {
    String sound() { return "wuff"; } //: overrides Animal.sound

    void play() {
        speak(); //: calls Animal.speak
        super.speak(); //: calls Animal.speak
    }
}

class Puppy extends Dog {
    @Override
    String sound() { //: overrides Dog.sound
        return super.sound(); //: calls Dog.sound
    }
}

class Use {
    void f(Animal a, Puppy p) {
        p.sound(); //: calls Puppy.sound
        p.play();  //: calls Dog.play
    }
}
