@_exported public import Foundation
import StandIn

/// The part of `UIApplication` that says where the app is, and whether protected data can be read.
@MainActor
public final class UIApplication: NSObject {
    /// The app.
    public static let shared = UIApplication()

    /// Whether what is protected by the passcode can be read now.
    public var isProtectedDataAvailable: Bool { Phone.current.isProtectedDataAvailable }

    /// Where the app is.
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    /// Where the app is.
    public var applicationState: State {
        switch Phone.current.appPhase {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }

    public nonisolated static let willResignActiveNotification =
        Notification.Name("UIApplicationWillResignActiveNotification")
    public nonisolated static let didBecomeActiveNotification =
        Notification.Name("UIApplicationDidBecomeActiveNotification")
    public nonisolated static let didEnterBackgroundNotification =
        Notification.Name("UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let willEnterForegroundNotification =
        Notification.Name("UIApplicationWillEnterForegroundNotification")
    public nonisolated static let userDidTakeScreenshotNotification =
        Notification.Name("UIApplicationUserDidTakeScreenshotNotification")
    public nonisolated static let willTerminateNotification =
        Notification.Name("UIApplicationWillTerminateNotification")
    public nonisolated static let protectedDataWillBecomeUnavailableNotification =
        Notification.Name("UIApplicationProtectedDataWillBecomeUnavailable")
    public nonisolated static let protectedDataDidBecomeAvailableNotification =
        Notification.Name("UIApplicationProtectedDataDidBecomeAvailable")
}
