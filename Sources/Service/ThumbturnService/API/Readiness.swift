import Synchronization
import ThumbturnCrypto
import ThumbturnRules

/// Checks whether the service can work: it can write, and has the sealing key.
final class Readiness: Sendable {
    private static let lasts = Milliseconds.seconds(1)

    /// The row of this instance; each instance has its own, so that they do not conflict.
    private let row = Array(RandomBytes.make(16))
    private let lastWritten = Mutex<ServiceTime?>(nil)

    /// Writes a row, but at most once a second, so that frequent checks do not keep the disk busy.
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
