#import <Foundation/Foundation.h>
@interface Store : NSObject
- (void)put:(NSString *)key value:(NSString *)value;
- (NSString *)get:(NSString *)key;
+ (Store *)shared;
@end
