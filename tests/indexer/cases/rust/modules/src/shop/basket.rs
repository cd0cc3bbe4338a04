use super::super::util::trim; //: imports src/util.rs

pub struct Basket { items: Vec<String> }

impl Basket {
    pub fn new() -> Self { Basket { items: Vec::new() } } //: references Basket, Basket.items
    pub fn add(&mut self, s: &str) {
        trim(s); //: calls src/util.rs::trim
        super::open(); //: calls src/shop/mod.rs::open
    }
}
