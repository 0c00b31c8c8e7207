#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit
import Foundation
import ThumbturnDevice

extension Notice {
    /// What macOS tells, for one listener.
    ///
    /// A Mac's keychain stays readable behind a locked screen, so these are what locks a vault there.
    ///
    /// - Parameter patience: how long sleep is held up, in seconds, until the listener has locked.
    static func mac(patience: Double = 3) -> [Notice] {
        let workspace = NSWorkspace.shared.notificationCenter
        _ = screenLock
        return [
            Notice(NSApplication.willResignActiveNotification, means: .becameInactive),
            Notice(NSApplication.didHideNotification, means: .enteredBackground),
            Notice(NSApplication.didBecomeActiveNotification, means: .becameActive),
            Notice(.NSApplicationProtectedDataWillBecomeUnavailable, means: .protectedDataLeaving),
            // Sleep, which may write the memory to disk, waits for who handles this; up to 30 s, says Apple.
            Notice(NSWorkspace.willSleepNotification, of: workspace) { post in
                post.tellAndWait(.protectedDataLeaving, until: Date(timeIntervalSinceNow: patience))
            },
            Notice(NSWorkspace.screensDidSleepNotification, of: workspace, means: .protectedDataLeaving),
            // Another user's turn.
            Notice(NSWorkspace.sessionDidResignActiveNotification, of: workspace, means: .protectedDataLeaving),
            Notice(screenIsLocked, means: .protectedDataLeaving),
        ]
    }

    private static let screenIsLocked = Notification.Name("thumbturn.screenIsLocked")

    /// Hears, once for the whole process, that the screen was locked, and says so in here.
    ///
    /// AppKit holds back what other processes tell an app that is not in front, but for who asks for it at once.
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
