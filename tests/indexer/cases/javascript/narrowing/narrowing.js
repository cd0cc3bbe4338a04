class Dog {
  speak() {}
}
class Cat {
  speak() {}
}

function pick(flag) {
  return flag ? new Dog() : new Cat();
}

function ask(flag) {
  const pet = pick(flag); //: calls pick
  if (pet instanceof Dog) {
    pet.speak(); //: calls Dog.speak
  }
  if ((pet instanceof Cat) && flag) {
    pet.speak(); //: calls Cat.speak
  }
  if (!(pet instanceof Cat)) {
    return;
  }
  pet.speak(); //: calls Cat.speak
}

class Owner {
  constructor(flag) {
    this.pet = pick(flag); //: calls pick
  }
  call() {
    if (this.pet instanceof Dog) {
      this.pet.speak(); //: calls Dog.speak
    }
    if (!(this.pet instanceof Dog) || this.pet.tired) {
      return;
    }
    this.pet.speak(); //: calls Dog.speak
  }
}
