pub mod basket; //: imports src/shop/basket.rs

pub use self::basket::Basket;

pub fn open() -> Basket {
    Basket::new() //: calls src/shop/basket.rs::Basket.new
}
