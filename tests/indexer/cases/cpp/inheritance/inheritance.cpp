class Animal {
 public:
  virtual void speak() {}
  void eat() { speak(); } //: calls Animal.speak
};

class Dog : public Animal { //: inherits Animal
 public:
  void speak() override {} //: overrides Animal.speak
  void play() {
    eat(); //: calls Animal.eat
    Animal::speak(); //: calls Animal.speak
  }
};

void use(Animal* a, Dog& d) {
  a->speak(); //: calls Animal.speak, Dog.speak
  d.speak(); //: calls Dog.speak
  d.eat(); //: calls Animal.eat
}
