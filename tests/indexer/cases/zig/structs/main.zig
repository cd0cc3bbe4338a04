const std = @import("std");
const Repo = @import("repo.zig"); //: imports repo.zig
const models = @import("models.zig"); //: imports models.zig
const User = models.User;

const Service = struct {
    repo: *Repo,
    users: []User,
    pub fn init(repo: *Repo) Service { return .{ .repo = repo, .users = undefined }; }
    pub fn run(self: *const Service, id: u32) !void {
        const found = self.repo.find(id) orelse return error.Missing; //: calls repo.zig::find
        for (self.users, 0..) |user, i| {
            user.greet(i); //: calls models.zig::User.greet
        }
        if (self.best()) |user| user.greet(found); //: calls Service.best, models.zig::User.greet
        try helper(found); //: calls helper
        defer self.stop(); //: calls Service.stop
    }
    fn best(self: Service) ?User { return self.users[0]; }
    fn stop(self: *@This()) void { _ = self; }
};

fn helper(id: u32) !void {
    var list = List(User).init(); //: calls List, List.init
    list.push(User.named("x")); //: calls List.push, models.zig::User.named
    list.first().greet(id); //: calls List.first, models.zig::User.greet
    const made: Service = Service.init(undefined); //: calls Service.init
    try made.run(id); //: calls Service.run
}

fn List(comptime T: type) type {
    return struct {
        const Self = @This();
        items: []T,
        fn init() Self { return .{ .items = &.{} }; }
        fn push(self: *Self, item: T) void { self.grow(); _ = item; } //: calls List.grow
        fn grow(self: *Self) void { _ = self; }
        fn first(self: *Self) T { return self.items[0]; }
    };
}

test "service runs" {
    var repo = Repo.open("."); //: calls repo.zig::open
    try Service.init(&repo).run(1); //: calls Service.init, Service.run
}
