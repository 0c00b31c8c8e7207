public import Foundation

/// What happens to a Mac; its keychain stays readable all the while.
public enum MacEvent: CaseIterable, Sendable {
    case sleeps, screensSleep, switchesUser, locksScreen
}

extension Phone {
    /// Where `NSWorkspace` posts.
    public static let workspaceCenter = NotificationCenter()

    /// Lets something happen to a Mac, and returns when all who listen have handled it: sleep waits for that [doc].
    public func happen(_ event: MacEvent) {
        switch event {
        case .sleeps: postInWorkspace("NSWorkspaceWillSleepNotification")
        case .screensSleep: postInWorkspace("NSWorkspaceScreensDidSleepNotification")
        case .switchesUser: postInWorkspace("NSWorkspaceSessionDidResignActiveNotification")
        case .locksScreen: DistributedCenter.shared.post("com.apple.screenIsLocked", isActive: appPhase == .active)
        }
    }

    private func postInWorkspace(_ name: String) {
        Self.workspaceCenter.post(name: Notification.Name(name), object: nil)
    }
}

/// What processes tell each other; an app that is not active hears only what it wants delivered immediately [doc].
public final class DistributedCenter: @unchecked Sendable {
    // Safe to share: `lock` guards the variable.
    public static let shared = DistributedCenter()
    private let lock = NSLock()
    private var observers: [(name: String, isImmediate: Bool, callback: @Sendable () -> Void)] = []

    /// Adds an observer, for as long as the process runs.
    public func observe(_ name: String, immediately isImmediate: Bool, _ callback: @escaping @Sendable () -> Void) {
        lock.withLock { observers.append((name, isImmediate, callback)) }
    }

    func post(_ name: String, isActive: Bool) {
        for observer in lock.withLock({ observers }) where observer.name == name && (isActive || observer.isImmediate) {
            observer.callback()
        }
    }
}
