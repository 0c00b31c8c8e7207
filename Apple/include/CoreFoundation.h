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
typedef struct CF_BRIDGED(NSError) __CFError *CFErrorRef;
typedef const struct CF_BRIDGED(id) __CFAllocator *CFAllocatorRef;
#pragma clang assume_nonnull end
#pragma clang arc_cf_code_audited end
