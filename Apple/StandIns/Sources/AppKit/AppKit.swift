@_exported public import Foundation
@_exported public import Security
import StandIn

// What of AppKit, and of the Core Foundation behind it, tells an app where it and its Mac stand.

@MainActor
public final class NSApplication: NSObject {
    public nonisolated static let willResignActiveNotification =
        Notification.Name("NSApplicationWillResignActiveNotification")
    public nonisolated static let didBecomeActiveNotification =
        Notification.Name("NSApplicationDidBecomeActiveNotification")
    public nonisolated static let didHideNotification = Notification.Name("NSApplicationDidHideNotification")
}

extension Notification.Name {
    public static let NSApplicationProtectedDataWillBecomeUnavailable =
        Notification.Name("NSApplicationProtectedDataWillBecomeUnavailableNotification")
}

public final class NSWorkspace: NSObject, Sendable {
    public static let shared = NSWorkspace()

    /// These are posted here, and nowhere else [doc].
    public let notificationCenter = Phone.workspaceCenter

    public static let willSleepNotification = Notification.Name("NSWorkspaceWillSleepNotification")
    public static let screensDidSleepNotification = Notification.Name("NSWorkspaceScreensDidSleepNotification")
    public static let sessionDidResignActiveNotification =
        Notification.Name("NSWorkspaceSessionDidResignActiveNotification")
}

public final class CFNotificationCenter: Sendable {}

private let distributed = CFNotificationCenter()

public func CFNotificationCenterGetDistributedCenter() -> CFNotificationCenter! { distributed }

public enum CFNotificationSuspensionBehavior: Int, Sendable {
    case drop = 1
    case coalesce = 2
    case hold = 3
    case deliverImmediately = 4
}

/// A function of C there, so it captures nothing.
public typealias CFNotificationCallback = @Sendable (
    CFNotificationCenter?, UnsafeMutableRawPointer?, CFString?, UnsafeRawPointer?, CFDictionary?
) -> Void

/// Adds an observer; the observer and the object may be null [doc].
public func CFNotificationCenterAddObserver(
    _ center: CFNotificationCenter!,
    _ observer: UnsafeRawPointer!,
    _ callBack: CFNotificationCallback!,
    _ name: CFString!,
    _ object: UnsafeRawPointer!,
    _ suspensionBehavior: CFNotificationSuspensionBehavior
) {
    guard let name, let callBack = unsafe callBack else { return }
    DistributedCenter.shared.observe(name as String, immediately: suspensionBehavior == .deliverImmediately) {
        callBack(nil, nil, nil, nil, nil)
    }
}
