class Dog {
  bark() {}
}
class Cat {
  meow() {}
}

const base = { speak() {} };
const made = Object.create(base);
made.speak(); //: calls base.speak

const mixed = Object.assign({}, { run() {} });
mixed.run(); //: calls run

const plain = {};
Object.setPrototypeOf(plain, base);
plain.speak(); //: calls base.speak

const pets = { rex: new Dog() };
for (const pet of Object.values(pets)) {
  pet.bark(); //: calls Dog.bark
}
for (const [name, pet] of Object.entries(pets)) {
  pet.bark(); //: calls Dog.bark
}

const kennel = {};
Object.defineProperty(kennel, "dog", { value: new Dog() });
kennel.dog.bark(); //: calls Dog.bark

const house = {};
Object.defineProperties(house, { cat: { value: new Cat() } });
house.cat.meow(); //: calls Cat.meow

Object.freeze(new Cat()).meow(); //: calls Cat, Cat.meow
Array.from([new Dog()]).forEach((dog) => dog.bark()); //: calls Dog, Dog.bark
Promise.resolve(new Dog()).then((dog) => dog.bark()); //: calls Dog, Dog.bark

async function wait() {
  const dog = await Promise.resolve(new Dog());
  dog.bark(); //: calls Dog.bark
}
