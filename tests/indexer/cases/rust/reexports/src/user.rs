use crate::Engine; //: references src/inner.rs::Engine

fn run(e: &Engine) {
    e.start(); //: calls src/inner.rs::Engine.start
    crate::idle(); //: calls src/inner.rs::idle
}
