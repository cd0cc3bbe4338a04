pub struct User;
impl User {
    pub fn name(&self) -> String { self.shout() } //: calls src/display.rs::User.shout
}
