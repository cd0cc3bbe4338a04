#import "Store.h" //: imports Store.h
static int check(NSString *key) { return 1; }
@implementation Store
- (void)put:(NSString *)key value:(NSString *)value {
  check(key); //: calls check
}
- (NSString *)get:(NSString *)key { return nil; }
+ (Store *)shared { return [[self alloc] init]; }
@end
