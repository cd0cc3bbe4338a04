pub struct Shelf;

impl Shelf {
    pub fn put(&self) {}
}

pub fn open() -> Shelf {
    Shelf
}
