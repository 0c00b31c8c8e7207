import Glibc
import Synchronization
import ThumbturnFiles

/// 5,000 events a second, ten an upload, while it is on.
final class EventStream: @unchecked Sendable {
    // Safe to share: only the thread uses the ledger while it is on.
    private static let uploadsPerSecond = 500.0
    /// How long it may be on.
    private static let longest = 4.0

    private let ledger: BenchLedger
    private let isOn = Atomic<Bool>(false)
    private let failure = Mutex<(any Error)?>(nil)
    private var thread: SystemThread?

    init(_ ledger: BenchLedger) { self.ledger = ledger }

    /// Starts the events, and returns once they come in; or stops them, and returns once all are answered.
    func turn(on: Bool) throws {
        guard on != isOn.load(ordering: .relaxed) else { return }
        isOn.store(on, ordering: .relaxed)
        guard on else {
            thread?.join()
            return try failure.withLock { if let failure = $0 { throw failure } }
        }
        try ledger.sign(Int(Self.uploadsPerSecond * Self.longest))
        thread = SystemThread { [self] in
            do {
                try ledger.send(perSecond: Self.uploadsPerSecond) { isOn.load(ordering: .relaxed) }
            } catch { failure.withLock { $0 = error } }
        }
        guard thread != nil else { throw BenchError(what: "no more threads") }
        usleep(300_000)
    }
}
