use std::collections::HashMap;
use std::rc::Rc;

struct Engine;
impl Engine { fn start(&self) {} }

struct Car {
    engine: Engine,
    spare: Option<Box<Engine>>,
    shared: Rc<Engine>,
    all: Vec<Engine>,
    named: HashMap<String, Engine>,
}

impl Car {
    fn run(&self) {
        self.engine.start(); //: calls Engine.start; references Car.engine
        self.shared.start(); //: calls Engine.start
        self.all[0].start(); //: calls Engine.start
        self.named.get("x").unwrap().start(); //: calls Engine.start
        if let Some(e) = &self.spare {
            e.start(); //: calls Engine.start
        }
        for e in self.all.iter() {
            e.start(); //: calls Engine.start
        }
        self.all.iter().for_each(|e| e.start()); //: calls Engine.start
    }
}
