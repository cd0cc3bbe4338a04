#[macro_use]
mod helpers;

struct User;
impl User {
    fn name(&self) -> String { String::new() }
    fn count() -> u32 { 1 }
}

fn helper(n: u32) -> u32 { n }

macro_rules! twice {
    ($e:expr) => { $e; $e };
}

fn f(user: User) {
    println!("{} {}", user.name(), User::count()); //: calls User.name, User.count
    assert_eq!(helper(1), 2); //: calls helper
    let all = vec![helper(1), helper(2)]; //: calls helper
    twice!(helper(3)); //: calls twice, helper
    far!(user.name().len()); //: calls src/helpers.rs::far, User.name
    format!("{}", user.name().clone()); //: calls User.name
}
