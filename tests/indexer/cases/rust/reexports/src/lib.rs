mod inner; //: imports src/inner.rs
pub use inner::Engine; //: references src/inner.rs::Engine
pub use inner::*;

mod user;
