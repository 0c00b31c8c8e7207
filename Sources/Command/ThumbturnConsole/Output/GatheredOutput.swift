import ThumbturnCrypto
import ThumbturnRules

/// Collects results before they are written.
///
/// It may contain secrets, so the memory is locked, and is wiped when this object is released.
final class GatheredOutput: @unchecked Sendable {
    // Safe to send: one command at a time writes.
    /// Fills two pages exactly, so that libsodium's guard page detects overruns.
    private var buffer = SecretBuffer(byteCount: 2 * 4_096 - 16)

    /// Appends as many of these bytes as there is room for.
    ///
    /// - Returns: the number of bytes appended.
    func take(_ bytes: RawSpan) -> Int {
        let count = min(bytes.byteCount, buffer.room)
        buffer.append(bytes.extracting(first: count))
        return count
    }

    /// Passes all bytes to `body` and then empties the buffer, even if `body` throws.
    func takeAll(_ body: (RawSpan) throws(Failure) -> Void) throws(Failure) {
        defer { buffer.removeFirst(buffer.byteCount) }
        try buffer.withBytes(body)
    }
}
