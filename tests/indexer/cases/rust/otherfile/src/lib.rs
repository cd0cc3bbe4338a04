mod model;
mod display;

fn show(u: model::User) {
    u.render(); //: calls src/display.rs::User.render
    u.name(); //: calls src/model.rs::User.name
}
