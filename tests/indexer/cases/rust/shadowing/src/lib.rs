struct A;
impl A { fn go(&self) -> B { B } }
struct B;
impl B { fn go(&self) {} fn end(&self) {} }

fn f() {
    let x = A;
    let x = x.go(); //: calls A.go
    x.end(); //: calls B.end
    {
        let x = A;
        x.go(); //: calls A.go
    }
    x.go(); //: calls B.go
    let y = if true { B } else { B };
    y.end(); //: calls B.end
    let z = { let inner = B; inner };
    z.end(); //: calls B.end
}

fn end() {
    fn local() {}
    local(); //: calls end.local
}
