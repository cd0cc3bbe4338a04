struct Item;
impl Item { fn go(&self) {} }
struct Fault;

fn find() -> Result<Item, Fault> { Ok(Item) }
fn maybe() -> Option<Item> { None }
fn pair() -> (Item, Fault) { (Item, Fault) }

fn f() -> Result<(), Fault> {
    find()?.go(); //: calls find, Item.go
    let item = find()?;
    item.go(); //: calls Item.go
    maybe().unwrap().go(); //: calls maybe, Item.go
    match find() {
        Ok(found) => found.go(), //: calls Item.go
        Err(_) => {}
    }
    let Some(m) = maybe() else { return Ok(()) };
    m.go(); //: calls Item.go
    let (left, _) = pair(); //: calls pair
    left.go(); //: calls Item.go
    while let Some(next) = maybe() {
        next.go(); //: calls Item.go
    }
    Ok(())
}
