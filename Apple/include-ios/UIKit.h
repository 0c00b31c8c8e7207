// UIKit, as far as the rooms call it. Its classes belong to the main actor, the names of its notifications do not.
#pragma once
#include <Foundation.h>

#define API_IOS(_ios) __attribute__((availability(ios, introduced = _ios)))

#pragma clang assume_nonnull begin
typedef NS_ENUM(NSInteger, UIApplicationState) {
    UIApplicationStateActive,
    UIApplicationStateInactive,
    UIApplicationStateBackground,
} NS_SWIFT_NAME(UIApplication.State);
NS_SWIFT_UI_ACTOR @interface UIApplication : NSObject
@property (class, readonly, strong) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property (readonly) UIApplicationState applicationState;
@end
extern NSNotificationName const UIApplicationWillResignActiveNotification
    NS_SWIFT_NAME(UIApplication.willResignActiveNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UIApplicationDidEnterBackgroundNotification
    NS_SWIFT_NAME(UIApplication.didEnterBackgroundNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UIApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(UIApplication.didBecomeActiveNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UIApplicationWillEnterForegroundNotification
    NS_SWIFT_NAME(UIApplication.willEnterForegroundNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UIApplicationUserDidTakeScreenshotNotification
    NS_SWIFT_NAME(UIApplication.userDidTakeScreenshotNotification) NS_SWIFT_NONISOLATED API_IOS(7.0);
extern NSNotificationName const UIApplicationProtectedDataWillBecomeUnavailable
    NS_SWIFT_NAME(UIApplication.protectedDataWillBecomeUnavailableNotification) NS_SWIFT_NONISOLATED;
typedef struct CGRect { double x, y, width, height; } CGRect;

NS_SWIFT_UI_ACTOR @interface UIResponder : NSObject
- (BOOL)canPerformAction:(SEL)action withSender:(nullable id)sender;
@end
@interface NSObject (UIAccessibility)
@property (nullable, copy) NSString *accessibilityValue NS_SWIFT_UI_ACTOR;
@end

typedef NS_ENUM(NSInteger, UISceneActivationState) {
    UISceneActivationStateUnattached = -1,
    UISceneActivationStateForegroundActive,
    UISceneActivationStateForegroundInactive,
    UISceneActivationStateBackground,
} NS_SWIFT_NAME(UIScene.ActivationState) API_IOS(13.0);
API_IOS(13.0) NS_SWIFT_UI_ACTOR @interface UIScene : UIResponder
@property (readonly) UISceneActivationState activationState;
@end
extern NSNotificationName const UISceneDidActivateNotification
    NS_SWIFT_NAME(UIScene.didActivateNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UISceneWillDeactivateNotification
    NS_SWIFT_NAME(UIScene.willDeactivateNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UISceneWillEnterForegroundNotification
    NS_SWIFT_NAME(UIScene.willEnterForegroundNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UISceneDidEnterBackgroundNotification
    NS_SWIFT_NAME(UIScene.didEnterBackgroundNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const UISceneDidDisconnectNotification
    NS_SWIFT_NAME(UIScene.didDisconnectNotification) NS_SWIFT_NONISOLATED;

// Not on visionOS.
NS_SWIFT_UI_ACTOR @interface UIScreen : NSObject
@property (class, readonly, strong) UIScreen *mainScreen NS_SWIFT_NAME(main);
@property (readonly, getter=isCaptured) BOOL captured API_IOS(11.0);
@end
extern NSNotificationName const UIScreenCapturedDidChangeNotification
    NS_SWIFT_NAME(UIScreen.capturedDidChangeNotification) NS_SWIFT_NONISOLATED API_IOS(11.0);

@class UIWindow;
typedef NS_OPTIONS(NSUInteger, UIViewAutoresizing) {
    UIViewAutoresizingFlexibleWidth = 1 << 1,
    UIViewAutoresizingFlexibleHeight = 1 << 4,
} NS_SWIFT_NAME(UIView.AutoresizingMask);
NS_SWIFT_UI_ACTOR @interface UIView : UIResponder <NSCoding>
- (instancetype)initWithFrame:(CGRect)frame __attribute__((objc_designated_initializer));
- (nullable instancetype)initWithCoder:(NSCoder *)coder __attribute__((objc_designated_initializer));
- (void)didMoveToWindow;
@property CGRect frame;
@property CGRect bounds;
@property UIViewAutoresizing autoresizingMask;
@property (getter=isHidden) BOOL hidden;
@property (nullable, readonly) UIWindow *window;
- (void)addSubview:(UIView *)view;
@end

NS_SWIFT_UI_ACTOR @interface UIViewController : UIResponder <NSCoding>
- (instancetype)initWithNibName:(nullable NSString *)name bundle:(nullable NSBundle *)bundle
    __attribute__((objc_designated_initializer)) NS_SWIFT_NAME(init(nibName:bundle:));
- (nullable instancetype)initWithCoder:(NSCoder *)coder __attribute__((objc_designated_initializer));
@property (null_resettable, strong) UIView *view;
@property (nullable, copy) NSString *title;
- (void)viewDidLoad;
- (void)viewDidAppear:(BOOL)animated;
- (void)viewDidDisappear:(BOOL)animated;
@property (nullable, nonatomic, readonly) UIViewController *presentedViewController
    NS_SWIFT_NAME(presentedViewController);
- (void)addChildViewController:(UIViewController *)child NS_SWIFT_NAME(addChild(_:));
- (void)didMoveToParentViewController:(nullable UIViewController *)parent NS_SWIFT_NAME(didMove(toParent:));
@end

API_IOS(13.0) NS_SWIFT_UI_ACTOR @interface UIWindowScene : UIScene
@end
typedef double UIWindowLevel NS_EXTENSIBLE_STRING_ENUM NS_SWIFT_NAME(UIWindow.Level);
extern const UIWindowLevel UIWindowLevelNormal;
extern const UIWindowLevel UIWindowLevelAlert;
NS_SWIFT_UI_ACTOR @interface UIWindow : UIView
- (instancetype)initWithFrame:(CGRect)frame __attribute__((objc_designated_initializer));
- (nullable instancetype)initWithCoder:(NSCoder *)coder __attribute__((objc_designated_initializer));
- (instancetype)initWithWindowScene:(UIWindowScene *)scene API_IOS(13.0);
@property (nullable, weak) UIWindowScene *windowScene API_IOS(13.0);
@property UIWindowLevel windowLevel;
@property (nullable, strong) UIViewController *rootViewController;
@end

typedef NSString *UITextContentType NS_EXTENSIBLE_STRING_ENUM API_IOS(10.0);
extern UITextContentType const UITextContentTypeOneTimeCode API_IOS(12.0);

typedef NS_ENUM(NSInteger, UIKeyboardType) {
    UIKeyboardTypeDefault,
    UIKeyboardTypeASCIICapable NS_SWIFT_NAME(asciiCapable),
    UIKeyboardTypeNumberPad = 4,
};
typedef NS_ENUM(NSInteger, UITextAutocorrectionType) {
    UITextAutocorrectionTypeDefault,
    UITextAutocorrectionTypeNo,
    UITextAutocorrectionTypeYes,
};
typedef NS_ENUM(NSInteger, UITextAutocapitalizationType) {
    UITextAutocapitalizationTypeNone,
    UITextAutocapitalizationTypeWords,
    UITextAutocapitalizationTypeSentences,
    UITextAutocapitalizationTypeAllCharacters,
};
typedef NS_ENUM(NSInteger, UITextSpellCheckingType) {
    UITextSpellCheckingTypeDefault,
    UITextSpellCheckingTypeNo,
    UITextSpellCheckingTypeYes,
};
@class UITextField;
NS_SWIFT_UI_ACTOR @protocol UITextFieldDelegate <NSObject>
@optional
- (BOOL)textField:(UITextField *)textField
    shouldChangeCharactersInRange:(NSRange)range
                replacementString:(NSString *)string NS_SWIFT_NAME(textField(_:shouldChangeCharactersIn:replacementString:));
@end
NS_SWIFT_UI_ACTOR @interface UIControl : UIView
@end
NS_SWIFT_UI_ACTOR @interface UITextField : UIControl
@property (nullable, copy) NSString *text;
@property (nullable, weak) id<UITextFieldDelegate> delegate;
@property (getter=isSecureTextEntry) BOOL secureTextEntry;
@property (null_unspecified, copy) UITextContentType textContentType API_IOS(10.0);
@property UIKeyboardType keyboardType;
@property UITextAutocorrectionType autocorrectionType;
@property UITextAutocapitalizationType autocapitalizationType;
@property UITextSpellCheckingType spellCheckingType;
@end
#pragma clang assume_nonnull end
