// The part of Core Foundation that Security's signatures name.
#pragma once
#include "ObjectiveC.h"

#define CF_BRIDGED(_type) __attribute__((objc_bridge(_type)))
#define CF_RETURNS_RETAINED __attribute__((cf_returns_retained))

#pragma clang arc_cf_code_audited begin
#pragma clang assume_nonnull begin
typedef int32_t OSStatus;
typedef unsigned long CFOptionFlags;
typedef const CF_BRIDGED(id) void *CFTypeRef;
typedef const struct CF_BRIDGED(NSString) __CFString *CFStringRef;
typedef const struct CF_BRIDGED(NSDictionary) __CFDictionary *CFDictionaryRef;
typedef const struct CF_BRIDGED(NSData) __CFData *CFDataRef;
typedef const struct CF_BRIDGED(NSArray) __CFArray *CFArrayRef;
typedef struct CF_BRIDGED(NSError) __CFError *CFErrorRef;
typedef const struct CF_BRIDGED(id) __CFAllocator *CFAllocatorRef;
#pragma clang assume_nonnull end

// Not audited for null, so optional in Swift.
typedef long CFIndex;
CFIndex CFErrorGetCode(CFErrorRef error);
typedef struct CF_BRIDGED(id) __CFNotificationCenter *CFNotificationCenterRef;
typedef void (*CFNotificationCallback)(
    CFNotificationCenterRef center, void *observer, CFStringRef name, const void *object, CFDictionaryRef userInfo);
enum __attribute__((enum_extensibility(open))) CFNotificationSuspensionBehavior : CFIndex {
    CFNotificationSuspensionBehaviorDrop = 1,
    CFNotificationSuspensionBehaviorCoalesce = 2,
    CFNotificationSuspensionBehaviorHold = 3,
    CFNotificationSuspensionBehaviorDeliverImmediately = 4,
};
typedef enum CFNotificationSuspensionBehavior CFNotificationSuspensionBehavior;
CFNotificationCenterRef CFNotificationCenterGetDistributedCenter(void) __attribute__((availability(ios, unavailable)));
void CFNotificationCenterAddObserver(
    CFNotificationCenterRef center, const void *observer, CFNotificationCallback callBack, CFStringRef name,
    const void *object, CFNotificationSuspensionBehavior suspensionBehavior);
#pragma clang arc_cf_code_audited end
