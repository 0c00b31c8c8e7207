import ThumbturnCrypto

/// A value behind a lock.
final class Guarded<Value>: @unchecked Sendable {
    // Safe to share: `lock` guards the value.
    private let lock = Lock()
    private var value: Value

    init(_ value: sending Value) { self.value = value }

    /// Reads or changes the value; `body` must not come back here.
    func change<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
        try lock.withLock { () throws(E) in try body(&value) }
    }
}
