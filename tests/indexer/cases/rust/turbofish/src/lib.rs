fn check<T>(value: T) {}

struct Parser;

impl Parser {
    fn make<T>() -> Parser {
        Parser
    }

    fn run(&self) {}
}

fn shadowed() {
    let check = check::<i32>; //: references check
    check(1); //: calls check
}

fn value() {
    let make = Parser::make::<u8>;
    make().run(); //: calls Parser.make, Parser.run
}

fn direct() {
    check::<u8>(1); //: calls check
    Parser::make::<u8>().run(); //: calls Parser.make, Parser.run
}
