import java.util.List;
import java.util.function.Supplier;

class Person {
    String name() { return ""; }
    void greet() {}
    static Person make() { return new Person(); }
}

class Use {
    void each(Person p) {
        p.greet(); //: calls Person.greet
    }

    void f(List<Person> people) {
        people.forEach(p -> p.greet()); //: calls Person.greet
        people.forEach(this::each); //: calls Use.each
        people.stream().map(Person::name).toList(); //: calls Person.name; references Person
        Supplier<Person> s = Person::make; //: references Person, Person.make
        s.get().greet(); //: calls Person.greet
        Runnable r = () -> { each(null); }; //: calls Use.each
    }
}
