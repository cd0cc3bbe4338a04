use crate::Shelf;

fn g(shelf: &Shelf) {
    shelf.put(); //: calls src/store.rs::Shelf.put
    crate::hidden(); //: calls src/lib.rs::hidden
}

mod nested {
    use crate::tools::Visit;

    fn h<V: Visit>(visitor: V) {
        visitor.visit(); //: calls helper_core/src/tools.rs::Visit.visit
    }
}
