// The names of AppKit's notifications. The class belongs to the main actor, they do not; nor are they `const`, as UIKit's are.
#pragma once
#include <Foundation.h>

#pragma clang assume_nonnull begin
NS_SWIFT_UI_ACTOR @interface NSApplication : NSObject
@end
extern NSNotificationName NSApplicationWillResignActiveNotification
    NS_SWIFT_NAME(NSApplication.willResignActiveNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName NSApplicationDidHideNotification
    NS_SWIFT_NAME(NSApplication.didHideNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName NSApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(NSApplication.didBecomeActiveNotification) NS_SWIFT_NONISOLATED;
// A member of the notification's name, as every constant without a name of its own.
extern NSNotificationName NSApplicationProtectedDataWillBecomeUnavailableNotification
    __attribute__((availability(macos, introduced = 12.0)));
// Of no actor, and posted in its own center.
@interface NSWorkspace : NSObject
@property (class, readonly, strong) NSWorkspace *sharedWorkspace NS_SWIFT_NAME(shared);
@property (readonly, strong) NSNotificationCenter *notificationCenter;
@end
extern NSNotificationName NSWorkspaceWillSleepNotification NS_SWIFT_NAME(NSWorkspace.willSleepNotification);
extern NSNotificationName NSWorkspaceScreensDidSleepNotification
    NS_SWIFT_NAME(NSWorkspace.screensDidSleepNotification);
extern NSNotificationName NSWorkspaceSessionDidResignActiveNotification
    NS_SWIFT_NAME(NSWorkspace.sessionDidResignActiveNotification);

typedef NSString *NSTextContentType NS_EXTENSIBLE_STRING_ENUM __attribute__((availability(macos, introduced = 11.0)));
extern NSTextContentType NSTextContentTypeOneTimeCode __attribute__((availability(macos, introduced = 11.0)));
#pragma clang assume_nonnull end
