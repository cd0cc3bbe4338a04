use crate::model::User;

pub trait Render {
    fn render(&self);
}

impl Render for User {
    fn render(&self) { //: overrides Render.render
        self.name(); //: calls src/model.rs::User.name
        Self::help(); //: calls User.help
    }
}

impl User {
    pub fn shout(&self) -> String { String::new() }
    fn help() {}
}
