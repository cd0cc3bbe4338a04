#import "Store.h"
@implementation Owner {
  Store *_store;
}
- (void)use:(Store *)given {
  [_store get:@"a"]; //: calls Store.m::Store.get:
  [given put:@"a" value:@"b"]; //: calls Store.m::Store.put:value:
  [self use:given]; //: calls Owner.use:
  [[Store shared] get:@"x"]; //: calls Store.m::Store.shared, Store.m::Store.get:
}
@end
int main(void) {
  Store *store = [[Store alloc] init];
  [store get:@"k"]; //: calls Store.m::Store.get:
  ^{ [store get:@"k"]; }(); //: calls Store.m::Store.get:
  return 0;
}
