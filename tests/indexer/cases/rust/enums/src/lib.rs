struct Payload;
impl Payload { fn open(&self) {} }

enum Event {
    Quit,
    Data(Payload),
    Named { body: Payload },
}

impl Event {
    fn handle(&self) {
        match self {
            Event::Quit => {} //: references Event, Event.Quit
            Event::Data(p) => p.open(), //: calls Payload.open
            Event::Named { body } => body.open(), //: calls Payload.open
        }
    }
}

fn f() {
    let e = Event::Data(Payload); //: calls -
    e.handle(); //: calls Event.handle
    Event::Quit.handle(); //: calls Event.handle
}
