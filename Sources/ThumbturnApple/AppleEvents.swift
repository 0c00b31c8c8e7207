import Foundation
import LocalAuthentication
import ThumbturnDevice

#if canImport(UIKit)
import UIKit
#else
import AppKit
#endif

/// Watches the app and the device for one listener.
final class AppleEvents: @unchecked Sendable {
    // Safe to share: both are set before anybody else has the object, and handed back to the system once, at the end.
    private let observers: [any NSObjectProtocol]
    private let environment: AnyObject?

    /// What happens from now on.
    static func stream() -> AsyncStream<DeviceEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: DeviceEvent.self)
        let events = AppleEvents { continuation.yield($0) }
        continuation.onTermination = { _ in events.end() }
        return stream
    }

    private init(_ tell: @escaping @Sendable (DeviceEvent) -> Void) {
        observers = Self.notifications.map { name, event in
            // Without a queue the block runs where the notification is posted, at once.
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in tell(event) }
        }
        if #available(iOS 18, macOS 15, *) {
            let observer = BiometryObserver { tell(.biometryChanged) }
            LAEnvironment.currentUser.addObserver(observer)
            environment = observer
        } else {
            environment = nil
        }
    }

    private func end() {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        if #available(iOS 18, macOS 15, *), let observer = environment as? BiometryObserver {
            LAEnvironment.currentUser.removeObserver(observer)
        }
    }

    #if canImport(UIKit)
    private static let notifications: [(Notification.Name, DeviceEvent)] = [
        // Also sent when Face ID's own sheet is up, so it is no reason to lock.
        (UIApplication.willResignActiveNotification, .becameInactive),
        (UIApplication.didEnterBackgroundNotification, .enteredBackground),
        (UIApplication.didBecomeActiveNotification, .becameActive),
        (UIApplication.protectedDataWillBecomeUnavailableNotification, .protectedDataLeaving),
    ]
    #else
    private static let notifications: [(Notification.Name, DeviceEvent)] = [
        (NSApplication.willResignActiveNotification, .becameInactive),
        (NSApplication.didHideNotification, .enteredBackground),
        (NSApplication.didBecomeActiveNotification, .becameActive),
        (.NSApplicationProtectedDataWillBecomeUnavailable, .protectedDataLeaving),
    ]
    #endif
}

/// Hears when the sensor, or who is enrolled, changes while the app runs; systems before these don't tell.
@available(iOS 18, macOS 15, *)
private final class BiometryObserver: NSObject, LAEnvironment.Observer {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) {
        self.tell = tell
    }

    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) {
        tell()
    }
}
