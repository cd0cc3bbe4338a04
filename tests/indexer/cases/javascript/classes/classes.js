export class Animal {
  #secret = 1;
  sound = () => this.speak(); //: calls Animal.speak, Dog.speak

  constructor(name) {
    this.name = name;
  }

  static of(name) {
    return new this(name); //: calls Animal, Animal.constructor
  }

  speak() {
    return this.#hide(); //: calls Animal.#hide
  }

  #hide() {
    return this.#secret; //: references Animal.#secret
  }

  get loud() {
    return new Dog('loud'); //: calls Dog, Animal.constructor
  }
}

export class Dog extends Animal { //: inherits Animal
  speak() {
    return super.speak(); //: calls Animal.speak
  }

  chain() {
    return this;
  }
}

export class Puppy extends Dog {
  constructor() {
    super('puppy'); //: calls Animal.constructor
    this.friend = new Dog('friend');
  }

  meet() {
    this.friend.speak(); //: calls Dog.speak
  }
}

function run() {
  new Puppy().chain().meet(); //: calls Puppy, Puppy.constructor, Dog.chain, Puppy.meet
  Animal.of('x').speak(); //: calls Animal.of, Animal.speak; calls? Animal.of, Animal.speak, Dog.speak
  new Animal('y').loud.chain(); //: calls Animal, Animal.constructor, Dog.chain
}

const Made = class {
  go() {}
};
new Made().go(); //: calls Made, Made.go

const kInner = Symbol('inner');

class Holder {
  constructor() {
    this[kInner] = new Dog('inner');
  }

  [kInner + 'x']() {}

  use() {
    return this[kInner].chain(); //: calls Dog.chain
  }
}
