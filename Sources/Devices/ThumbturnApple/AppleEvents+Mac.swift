#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Foundation
import ThumbturnDevice

extension Notice {
    /// Creates the notices on macOS, for one listener.
    ///
    /// A Mac's keychain stays readable behind a locked screen, so only these events lock a vault there.
    ///
    /// - Parameter patience: how long sleep is delayed, in seconds, until the listener has locked.
    static func mac(patience: Double = 3) -> [Notice] {
        let workspace = NSWorkspace.shared.notificationCenter
        _ = screenLock
        return [
            Notice(NSApplication.willResignActiveNotification, means: .becameInactive),
            Notice(NSApplication.didHideNotification, means: .enteredBackground),
            Notice(NSApplication.didBecomeActiveNotification, means: .becameActive),
            Notice(.NSApplicationProtectedDataWillBecomeUnavailable, means: .protectedDataLeaving),
            // Sleep, which may write the memory to disk, waits for this handler; up to 30 s according to Apple.
            Notice(NSWorkspace.willSleepNotification, of: workspace) { post in
                post.tellAndWait(.protectedDataLeaving, until: Date(timeIntervalSinceNow: patience))
            },
            Notice(NSWorkspace.screensDidSleepNotification, of: workspace, means: .protectedDataLeaving),
            // Another user takes over the screen.
            Notice(NSWorkspace.sessionDidResignActiveNotification, of: workspace, means: .protectedDataLeaving),
            Notice(screenIsLocked, means: .protectedDataLeaving),
        ]
    }

    private static let screenIsLocked = Notification.Name("thumbturn.screenIsLocked")

    /// Observes, once for the whole process, that the screen was locked, and reposts it in this process.
    ///
    /// AppKit delays other processes' notifications to an app that is not in front, unless it asks for immediate
    /// delivery.
    private static let screenLock: Void = unsafe CFNotificationCenterAddObserver(
        CFNotificationCenterGetDistributedCenter(),
        nil,
        { _, _, _, _, _ in NotificationCenter.default.post(name: Notice.screenIsLocked, object: nil) },
        "com.apple.screenIsLocked" as CFString,
        nil,
        .deliverImmediately
    )
}
#endif
