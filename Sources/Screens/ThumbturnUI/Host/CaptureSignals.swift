import ThumbturnRules

/// Says whether somebody records the screen, and when the owner took a screenshot of it (P-107-04).
///
/// iOS tells both; a screenshot only once it was taken. On other systems nothing is ever told. `isCaptured` and
/// `screenshots` are members of the model.
@MainActor public final class CaptureSignals: ScreenModel<CaptureFields> {
    /// The signals of this device, from the first use on.
    public static let shared = CaptureSignals(followingDevice: true)

    private var facts = CaptureFields()
    /// What observes the device, as long as it lives.
    private var observers: [AnyObject] = []

    /// Creates signals that only `recordingChanged(to:)` and `screenshotTaken()` change: for a preview or a test.
    public convenience init() { self.init(followingDevice: false) }

    private init(followingDevice isFollowing: Bool) {
        super.init(facts)
        if isFollowing { followDevice() }
    }

    /// Notes that a recording of the screen began or ended.
    public func recordingChanged(to isCaptured: Bool) {
        facts.isCaptured = isCaptured
        show()
    }

    /// Notes that a screenshot was taken.
    public func screenshotTaken() {
        facts.screenshots += 1
        show()
    }

    override func described() -> CaptureFields { facts }

    private func followDevice() {
        #if canImport(UIKit) && !os(visionOS)
        observers = Self.device(self)
        #endif
    }
}

#if canImport(UIKit) && !os(visionOS)
import Foundation
import UIKit

extension CaptureSignals {
    /// Follows the main screen; a second one shows nothing that the first does not.
    fileprivate static func device(_ signals: CaptureSignals) -> [NotificationToken] {
        signals.recordingChanged(to: UIScreen.main.isCaptured)
        return [
            NotificationToken(UIScreen.capturedDidChangeNotification) { [weak signals] _ in
                signals?.recordingChanged(to: UIScreen.main.isCaptured)
            },
            NotificationToken(UIApplication.userDidTakeScreenshotNotification) { [weak signals] _ in
                signals?.screenshotTaken()
            },
        ]
    }
}
#endif
