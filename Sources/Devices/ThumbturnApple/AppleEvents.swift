import Foundation
import LocalAuthentication
import ThumbturnDevice

/// Watches the app and the device for one listener.
final class AppleEvents: @unchecked Sendable {
    // Safe to share: all are set before the object is shared, and returned to the system once, at the end.
    private let post = EventPost()
    private let observers: [(NotificationCenter, any NSObjectProtocol)]
    private let environment: AnyObject?

    /// Returns the events from now on.
    static func stream(_ notices: [Notice] = Notice.all()) -> AsyncStream<DeviceEvent> {
        let events = AppleEvents(notices)
        return AsyncStream { await events.post.next() }
    }

    private init(_ notices: [Notice]) {
        let post = post
        observers = notices.map { notice in
            // Without a queue the block runs synchronously where the notification is posted.
            let observer = notice.center.addObserver(forName: notice.name, object: nil, queue: nil) { _ in
                notice.handle(post)
            }
            return (notice.center, observer)
        }
        if #available(iOS 18, macOS 15, visionOS 2, *) {
            let observer = BiometryObserver { post.tell(.biometryChanged) }
            LAEnvironment.currentUser.addObserver(observer)
            environment = observer
        } else {
            environment = nil
        }
    }

    deinit {
        for (center, observer) in observers { center.removeObserver(observer) }
        if #available(iOS 18, macOS 15, visionOS 2, *), let observer = environment as? BiometryObserver {
            LAEnvironment.currentUser.removeObserver(observer)
        }
        post.close()
    }
}

/// One notification of the system, and its handler.
struct Notice: Sendable {
    let center: NotificationCenter
    let name: Notification.Name
    let handle: @Sendable (EventPost) -> Void

    init(
        _ name: Notification.Name,
        of center: NotificationCenter = .default,
        _ handle: @escaping @Sendable (EventPost) -> Void
    ) {
        self.name = name
        self.center = center
        self.handle = handle
    }

    init(_ name: Notification.Name, of center: NotificationCenter = .default, means event: DeviceEvent) {
        self.init(name, of: center) { $0.tell(event) }
    }

    /// Returns the notices of the running system.
    static func all() -> [Notice] {
        #if canImport(UIKit)
        phone()
        #else
        mac()
        #endif
    }
}

/// Delivers events to one listener, and lets the sender wait until the listener has handled one.
final class EventPost: @unchecked Sendable {
    // Safe to share: `condition` guards the variables.
    private let condition = NSCondition()
    private var told = 0
    private var taken = 0
    private var done = 0
    private var isClosed = false
    private let events: AsyncStream<DeviceEvent>
    private let line: AsyncStream<DeviceEvent>.Continuation

    init() { (events, line) = AsyncStream.makeStream(of: DeviceEvent.self) }

    /// Returns the next event; nil when the listener has left.
    func next() async -> DeviceEvent? {
        // By asking for the next event, the listener says that it has handled the last one.
        change { done = taken }
        for await event in events {
            change { taken += 1 }
            return event
        }
        close()
        return nil
    }

    func tell(_ event: DeviceEvent) {
        condition.withLock {
            told += 1
            line.yield(event)
        }
    }

    /// Sends an event and blocks until the listener has handled it or left, or `limit` is reached.
    func tellAndWait(_ event: DeviceEvent, until limit: Date? = nil) {
        condition.withLock {
            told += 1
            let number = told
            line.yield(event)
            while done < number, !isClosed {
                guard let limit else {
                    condition.wait()
                    continue
                }
                guard condition.wait(until: limit) else { return }
            }
        }
    }

    /// Releases every sender that waits for the listener.
    func close() {
        change { isClosed = true }
        line.finish()
    }

    private func change(_ body: () -> Void) {
        condition.withLock {
            body()
            condition.broadcast()
        }
    }
}

/// Observes changes of the sensor or the enrolled set while the app runs; earlier systems do not report them.
@available(iOS 18, macOS 15, visionOS 2, *)
private final class BiometryObserver: NSObject, LAEnvironment.Observer {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    func environment(_ environment: LAEnvironment, stateDidChangeFromOldState oldState: LAEnvironment.State) { tell() }
}
