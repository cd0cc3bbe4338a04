struct Stack<T> { items: Vec<T> }

impl<T: Step> Stack<T> {
    fn new() -> Self { Stack { items: Vec::new() } }
    fn push(&mut self, t: T) { self.items.push(t); }
    fn all(&self) {
        for t in &self.items {
            t.step(); //: calls Step.step, Walk.step
        }
    }
}

trait Step { fn step(&self); }
struct Walk;
impl Step for Walk { fn step(&self) {} }

fn same<T>(t: T) -> T { t }

fn f() {
    let mut s = Stack::<Walk>::new(); //: calls Stack.new
    s.push(Walk); //: calls Stack.push
    s.all(); //: calls Stack.all
    same(Walk).step(); //: calls same, Walk.step
}
