#[test]
fn adds() {
    case::add(1, 2); //: calls -
    check(); //: calls check
}

fn check() {}
