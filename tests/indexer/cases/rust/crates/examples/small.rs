use big_store::Store;
use big_store::aid::help;

fn main() {
    Store::open().work(); //: calls src/lib.rs::Store.open, src/lib.rs::Store.work
    big_store::Tool::new().run(); //: calls helpers/src/library.rs::Tool.new, helpers/src/library.rs::Tool.run
    help(); //: calls helpers/src/library.rs::help
    big_store::aid::help(); //: calls helpers/src/library.rs::help
}
