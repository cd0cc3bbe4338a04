mod store;
mod job;

macro_rules! root {
    () => {
        pub use crate::store::{Shelf, open};

        // a brace } in a comment, and one in "a string }"
        pub fn hidden() -> char { '}' }
    };
}

root!();

macro_rules! unused {
    () => { fn nobody() {} };
}

fn f() {
    open().put(); //: calls src/store.rs::open, src/store.rs::Shelf.put
    hidden(); //: calls hidden
}

pub use helper_core::tools;
