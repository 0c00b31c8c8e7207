// The part of LocalAuthentication that ThumbturnApple calls.
#pragma once
#include "Foundation.h"

#pragma clang assume_nonnull begin
typedef NS_ENUM(NSInteger, LAPolicy) {
    LAPolicyDeviceOwnerAuthenticationWithBiometrics = 1,
    LAPolicyDeviceOwnerAuthentication = 2,
};
typedef NS_ENUM(NSInteger, LABiometryType) {
    LABiometryTypeNone = 0,
    LABiometryTypeTouchID = 1,
    LABiometryTypeFaceID = 2,
    LABiometryTypeOpticID API_AVAILABLE(17.0, 14.0) = 4,
};

extern const NSErrorDomain LAErrorDomain;
typedef NS_ERROR_ENUM(LAErrorDomain, LAError) {
    LAErrorAuthenticationFailed = -1,
    LAErrorUserCancel = -2,
    LAErrorUserFallback = -3,
    LAErrorSystemCancel = -4,
    LAErrorPasscodeNotSet = -5,
    LAErrorBiometryNotAvailable = -6,
    LAErrorBiometryNotEnrolled = -7,
    LAErrorBiometryLockout = -8,
    LAErrorAppCancel = -9,
    LAErrorInvalidContext = -10,
    LAErrorCompanionNotAvailable API_AVAILABLE(18.0, 15.0) = -11,
    LAErrorWatchNotAvailable API_MACOS_ONLY(10.15) = -11,
    LAErrorBiometryNotPaired API_MACOS_ONLY(11.2) = -12,
    LAErrorBiometryDisconnected API_MACOS_ONLY(11.2) = -13,
    LAErrorInvalidDimensions API_MACOS_ONLY(12.0) = -14,
    LAErrorNotInteractive = -1004,
};

// Not marked as safe to share between threads: the stricter reading.
@interface LAContext : NSObject
- (BOOL)canEvaluatePolicy:(LAPolicy)policy
                    error:(NSError *__autoreleasing _Nullable *_Nullable)error __attribute__((swift_error(none)));
- (void)evaluatePolicy:(LAPolicy)policy
       localizedReason:(NSString *)localizedReason
                 reply:(void (^)(BOOL success, NSError *_Nullable error))reply;
- (void)invalidate;
@property (nonatomic, copy, nullable) NSString *localizedFallbackTitle;
@property (nonatomic, copy, nullable) NSString *localizedCancelTitle;
@property (nonatomic) BOOL interactionNotAllowed;
@property (nonatomic, readonly) LABiometryType biometryType;
@property (nonatomic, readonly) id domainState API_AVAILABLE(18.0, 15.0);
@end

API_AVAILABLE(18.0, 15.0) NS_SWIFT_NAME(LAEnvironment.State) NS_SWIFT_SENDABLE @interface LAEnvironmentState : NSObject
@end

@protocol LAEnvironmentObserver;
// Neither is this one.
API_AVAILABLE(18.0, 15.0) @interface LAEnvironment : NSObject
@property (class, readonly) LAEnvironment *currentUser;
- (void)addObserver:(id<LAEnvironmentObserver>)observer NS_SWIFT_NAME(addObserver(_:));
- (void)removeObserver:(id<LAEnvironmentObserver>)observer NS_SWIFT_NAME(removeObserver(_:));
@end

API_AVAILABLE(18.0, 15.0) NS_SWIFT_NAME(LAEnvironment.Observer) @protocol LAEnvironmentObserver <NSObject>
@optional
- (void)environment:(LAEnvironment *)environment stateDidChangeFromOldState:(LAEnvironmentState *)oldState;
@end
#pragma clang assume_nonnull end
