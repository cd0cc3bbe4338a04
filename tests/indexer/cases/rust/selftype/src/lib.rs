pub struct Builder { size: u32 }

impl Builder {
    pub fn new() -> Self { Self { size: 0 } } //: references Builder.size
    pub fn sized(mut self, n: u32) -> Self { self.size = n; self }
    pub fn build(self) -> Widget { Widget::from_size(self.size) } //: calls Widget.from_size
}

pub struct Widget(u32);

impl Widget {
    fn from_size(n: u32) -> Widget { Widget(n) } //: calls Widget
    fn draw(&self) {}
}

fn f() {
    Builder::new().sized(3).build().draw(); //: calls Builder.new, Builder.sized, Builder.build, Widget.draw
}
