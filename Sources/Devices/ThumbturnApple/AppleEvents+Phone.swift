#if canImport(UIKit)
import Dispatch
import Foundation
import ThumbturnDevice
import UIKit

extension Notice {
    /// Creates the notices on iOS, for one listener.
    static func phone() -> [Notice] {
        let stay = BackgroundStay()
        return [
            // Also sent while Face ID's own sheet is up, so it is no reason to lock.
            Notice(UIApplication.willResignActiveNotification, means: .becameInactive),
            Notice(UIApplication.didEnterBackgroundNotification) { post in
                post.tell(.enteredBackground)
                // The system ends an app that takes too long, and its keys with it: better than suspending an unlocked
                // vault.
                stay.begin { post.tellAndWait(.suspending) }
            },
            Notice(UIApplication.didBecomeActiveNotification) { post in
                stay.end()
                post.tell(.becameActive)
            },
            Notice(UIApplication.protectedDataWillBecomeUnavailableNotification, means: .protectedDataLeaving),
        ]
    }
}

/// Keeps an app running in the background as long as the system allows, and reports when that ends.
///
/// A suspended app keeps its memory for hours, on a phone that anyone may pick up. Only a running app can lock.
final class BackgroundStay: @unchecked Sendable {
    // Safe to share: `lock` guards the variable.
    private let lock = NSLock()
    private var present: DispatchSemaphore?

    deinit { end() }

    /// Keeps the app running; `leave` is called before the app is suspended, which waits until it returns.
    func begin(_ leave: @escaping @Sendable () -> Void) {
        let over = DispatchSemaphore(value: 0)
        replace(by: over)
        // When time is up, the block is called again while the first call still waits; or it is called only so, if
        // there is no time.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Locking the vault") { isExpiring in
            if isExpiring {
                leave()
                over.signal()
            } else {
                over.wait()
            }
        }
    }

    /// Stops keeping the app running, which is in front again.
    func end() { replace(by: nil) }

    private func replace(by next: DispatchSemaphore?) {
        lock.withLock {
            present?.signal()
            present = next
        }
    }
}
#endif
