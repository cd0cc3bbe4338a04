pub mod shapes {
    pub struct Square;
    impl Square {
        pub fn area(&self) -> f64 { helper() } //: calls shapes.helper
    }
    fn helper() -> f64 { 1.0 }
    pub mod deep {
        pub fn down() {}
    }
}

fn use_them(s: shapes::Square) {
    s.area(); //: calls shapes.Square.area
    shapes::deep::down(); //: calls shapes.deep.down
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn works() {
        use_them(shapes::Square); //: calls use_them
    }
}
