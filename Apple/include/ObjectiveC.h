// The part of the Objective-C runtime's headers that the frameworks here stand on.
#pragma once
#include <stdint.h>

typedef _Bool BOOL;
typedef unsigned long NSUInteger;
typedef long NSInteger;
typedef struct objc_selector *SEL;

@protocol NSObject
- (BOOL)isEqual:(id _Nullable)object;
@property (readonly) NSUInteger hash;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject>
- (instancetype _Nonnull)init;
@end
