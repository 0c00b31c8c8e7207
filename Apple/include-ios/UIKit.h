// The names of UIKit's notifications. The class belongs to the main actor, they do not.
#pragma once
#include <Foundation.h>

#pragma clang assume_nonnull begin
NS_SWIFT_UI_ACTOR @interface UIApplication : NSObject
@end
extern NSNotificationName const UIApplicationWillResignActiveNotification
    NS_SWIFT_NAME(UIApplication.willResignActiveNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UIApplicationDidEnterBackgroundNotification
    NS_SWIFT_NAME(UIApplication.didEnterBackgroundNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UIApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(UIApplication.didBecomeActiveNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UIApplicationProtectedDataWillBecomeUnavailable
    NS_SWIFT_NAME(UIApplication.protectedDataWillBecomeUnavailableNotification) NS_SWIFT_NONISOLATED;
#pragma clang assume_nonnull end
