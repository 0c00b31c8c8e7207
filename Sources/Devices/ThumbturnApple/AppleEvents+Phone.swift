#if canImport(UIKit)
import Dispatch
import Foundation
import ThumbturnDevice
import UIKit

extension Notice {
    /// What iOS tells, for one listener.
    static func phone() -> [Notice] {
        let stay = BackgroundStay()
        return [
            // Also sent when Face ID's own sheet is up, so it is no reason to lock.
            Notice(UIApplication.willResignActiveNotification, means: .becameInactive),
            Notice(UIApplication.didEnterBackgroundNotification) { post in
                post.tell(.enteredBackground)
                // The system ends an app that takes too long, and its keys with it: better than to go without an answer.
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

/// Keeps an app running while it is in the background, as long as the system lets it, and says when that ends.
///
/// A suspended app keeps its memory, for hours, on a phone that anybody may hold. Only what still runs can lock.
final class BackgroundStay: @unchecked Sendable {
    // Safe to share: `lock` guards the variable.
    private let lock = NSLock()
    private var present: DispatchSemaphore?

    deinit { end() }

    /// Stays from now on; `leave` is called before the app is suspended, and holds that up until it returns.
    func begin(_ leave: @escaping @Sendable () -> Void) {
        let over = DispatchSemaphore(value: 0)
        replace(by: over)
        // The block is called once more when time is up, while the first call still waits; only so where there is none.
        ProcessInfo.processInfo.performExpiringActivity(withReason: "Locking the vault") { isExpiring in
            if isExpiring {
                leave()
                over.signal()
            } else {
                over.wait()
            }
        }
    }

    /// The app is in front again: nothing has to stay for it.
    func end() { replace(by: nil) }

    private func replace(by next: DispatchSemaphore?) {
        lock.withLock {
            present?.signal()
            present = next
        }
    }
}
#endif
