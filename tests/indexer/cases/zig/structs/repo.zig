const std = @import("std");

items: []const u8,
const Self = @This();

pub fn open(path: []const u8) Self {
    return Self{ .items = path };
}

pub fn find(self: *Self, id: u32) ?u32 {
    return self.check(id); //: calls check
}

fn check(self: Self, id: u32) ?u32 {
    return id + self.items.len; //: references items
}
