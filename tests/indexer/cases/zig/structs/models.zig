pub const User = struct {
    name: []const u8,
    pub fn named(name: []const u8) User { return User{ .name = name }; } //: references User, User.name
    pub fn greet(self: User, n: u32) void { other(self, n); } //: calls other
    fn same(self: User, n: u32) bool { return even(n); } //: calls even
};
fn even(n: u32) bool { return n % 2 == 0; }
fn other(user: User, n: u32) void {
    if (!user.same(n) and !even(n)) return; //: calls User.same, even
    switch (n) {
        0 => user.greet(1), //: calls User.greet
        else => {},
    }
}
