pub struct Engine;
impl Engine {
    pub fn start(&self) {}
}
pub fn idle() {}
