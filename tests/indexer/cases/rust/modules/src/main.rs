mod shop; //: imports src/shop/mod.rs
mod util; //: imports src/util.rs

use shop::basket::Basket; //: imports src/shop/basket.rs; references src/shop/basket.rs::Basket
use crate::util::{self, trim as cut}; //: imports src/util.rs; references src/util.rs::trim, src/util.rs

fn main() {
    let mut basket = Basket::new(); //: calls src/shop/basket.rs::Basket.new
    basket.add("x"); //: calls src/shop/basket.rs::Basket.add
    cut("x"); //: calls src/util.rs::trim
    util::trim("y"); //: calls src/util.rs::trim
    crate::util::trim("z"); //: calls src/util.rs::trim
    shop::open(); //: calls src/shop/mod.rs::open
}
