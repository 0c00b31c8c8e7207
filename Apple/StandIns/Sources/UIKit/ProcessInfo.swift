public import Foundation
import StandIn

extension ProcessInfo {
    /// Runs a block that holds suspension up; it is called with true when the app is about to be suspended all the same.
    public func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {
        Phone.current.perform(reason: reason, block)
    }
}
