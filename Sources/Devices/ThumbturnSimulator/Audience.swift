import ThumbturnCrypto
import ThumbturnDevice

/// Those who follow a simulated device, each by a stream of its own.
final class Audience: @unchecked Sendable {
    // Safe to share: `lock` guards the variables.
    private let lock = Lock()
    private var listeners: [UInt64: Listener] = [:]
    private var lastNumber: UInt64 = 0
    /// What everyone has been told.
    private var told: SimulatedSnapshot?
    /// Looks for changes that other processes make, while anyone listens.
    private var watch: Task<Void, Never>?

    /// One stream.
    enum Listener: Sendable {
        case events(AsyncStream<DeviceEvent>.Continuation)
        case snapshots(AsyncStream<SimulatedSnapshot>.Continuation)

        fileprivate func finish() {
            switch self {
            case .events(let line): line.finish()
            case .snapshots(let line): line.finish()
            }
        }

        fileprivate func whenEnded(_ body: @escaping @Sendable () -> Void) {
            switch self {
            case .events(let line): line.onTermination = { _ in body() }
            case .snapshots(let line): line.onTermination = { _ in body() }
            }
        }
    }

    deinit {
        watch?.cancel()
        for listener in listeners.values { listener.finish() }
    }

    /// Whether anyone listens.
    var isThere: Bool { lock.withLock { !listeners.isEmpty } }

    /// Adds a stream, which hears of everything after `present`.
    ///
    /// - Parameters:
    ///   - present: the device now, by clocks that stand still.
    ///   - watching: starts to look for other processes' changes; called for the first stream.
    func add(
        _ listener: Listener,
        at present: SimulatedSnapshot,
        watching: () -> Task<Void, Never>?
    ) {
        lock.withLock {
            lastNumber += 1
            let number = lastNumber
            listener.whenEnded { [weak self] in self?.leave(number) }
            if listeners.isEmpty {
                told = present
                watch = watching()
            }
            listeners[number] = listener
        }
    }

    /// Tells everyone what changed since the last call; nothing if nothing did.
    ///
    /// - Parameters:
    ///   - present: the device now, by clocks that stand still.
    ///   - shown: the same by its own clocks.
    func tell(_ present: SimulatedSnapshot, shown: SimulatedSnapshot) {
        lock.withLock {
            guard let told, told != present else { return }
            self.told = present
            let events = present.events(since: told)
            for listener in listeners.values {
                switch listener {
                case .events(let line): for event in events { line.yield(event) }
                case .snapshots(let line): line.yield(shown)
                }
            }
        }
    }

    private func leave(_ number: UInt64) {
        lock.withLock {
            listeners[number] = nil
            guard listeners.isEmpty else { return }
            watch?.cancel()
            (watch, told) = (nil, nil)
        }
    }
}
