#if canImport(UIKit) || canImport(AppKit)
import Foundation

/// Observes one notification on the main actor as long as it lives.
///
/// What the main thread posts is handled before the post returns, so that a cover is there when the system takes its
/// picture.
final class NotificationToken: @unchecked Sendable {
    // Safe to share: set once, and given back to the center at the end, which takes it on any thread.
    private let observer: any NSObjectProtocol
    /// Whether the main actor runs on the calling thread; a test's may run on another than the process began with.
    nonisolated(unsafe) static var isOnMainActor: @Sendable () -> Bool = { Thread.isMainThread }

    /// - Parameter handle: receives the notification's object if it is one of the main actor's, such as a scene.
    init(
        _ name: Notification.Name,
        of object: AnyObject? = nil,
        handle: @escaping @MainActor @Sendable (Subject?) -> Void
    ) {
        observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { notification in
            let subject = notification.object as? Subject
            if unsafe Self.isOnMainActor() {
                MainActor.assumeIsolated { handle(subject) }
            } else {
                Task { @MainActor in handle(subject) }
            }
        }
    }

    deinit { NotificationCenter.default.removeObserver(observer) }
}
#endif

#if canImport(UIKit)
import UIKit

/// Whom a notification is about.
typealias Subject = UIScene
#elseif canImport(AppKit)
import AppKit

/// Whom a notification is about.
typealias Subject = NSApplication
#endif
