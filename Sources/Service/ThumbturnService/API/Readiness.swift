import Synchronization
import ThumbturnCrypto
import ThumbturnRules

/// Whether the service can do its work: it can write, and has the key that seals.
final class Readiness: Sendable {
    private static let lasts = Milliseconds.seconds(1)

    /// The row that this instance writes; others write theirs, so that none is in another's way.
    private let row = Array(RandomBytes.make(16))
    private let lastWritten = Mutex<ServiceTime?>(nil)

    /// Writes a row, at most once a second, or who asks often would keep the disk busy.
    func check(_ keys: AccountKeys, in store: any Store, at now: ServiceTime) throws(Problem) {
        let isFresh = lastWritten.withLock { last in last.map { now >= $0 && now - $0 < Self.lasts } ?? false }
        if isFresh {
            _ = try store.looking { tables throws(Problem) in try tables.seals(keys) }
        } else {
            try store.writing { tables throws(Problem) in
                _ = try tables.seals(keys)
                try tables.noteReadiness(row, at: now)
            }
            lastWritten.withLock { $0 = now }
        }
    }
}
