pub const User = struct {
    name: []const u8,
    pub fn named(name: []const u8) User { return User{ .name = name }; } //: references User, User.name
    pub fn greet(self: User, n: u32) void { other(self, n); } //: calls other
};
fn other(user: User, n: u32) void {
    switch (n) {
        0 => user.greet(1), //: calls User.greet
        else => {},
    }
}
