import ThumbturnCrypto
import ThumbturnRules

/// Results before they are written.
///
/// Secrets among them lie in memory that is locked, and wiped when this ends.
final class GatheredOutput: @unchecked Sendable {
    // Safe to send: one command at a time writes.
    /// What two pages hold, behind which libsodium looks for what was written too far.
    private var buffer = SecretBuffer(byteCount: 2 * 4_096 - 16)

    /// Takes as many of these bytes as it has room for.
    ///
    /// - Returns: how many that are.
    func take(_ bytes: RawSpan) -> Int {
        let count = min(bytes.byteCount, buffer.room)
        buffer.append(bytes.extracting(first: count))
        return count
    }

    /// Lends all that is in it to who writes it, and is empty then, whether or not that could be done.
    func takeAll(_ body: (RawSpan) throws(Failure) -> Void) throws(Failure) {
        defer { buffer.removeFirst(buffer.byteCount) }
        try buffer.withBytes(body)
    }
}
