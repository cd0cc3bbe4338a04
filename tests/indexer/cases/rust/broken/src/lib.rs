fn good() { helper(); } //: calls helper

fn bad() {
    let x = = 3;
}

fn helper() {}

fn after() { good(); } //: calls good
