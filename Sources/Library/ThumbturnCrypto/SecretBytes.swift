#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// A fixed number of secret bytes with one owner, in memory of their own.
///
/// The bytes are between guard pages, are locked against swapping if the system allows it, stay out of core dumps on
/// Linux, and are wiped when the value ends. There is no description, no `Codable`, no `==` and no implicit copy: the
/// value can be moved, lent by `withBytes(_:)`, and duplicated only by `copy()`.
///
/// An allocation costs about 25 µs and at least four pages, so use it for keys and short secrets, not for bulk data;
/// `SecretPool` avoids most of that for short ones.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Safe to send: this struct is the only owner of the memory and never exposes an alias that outlives a call.
    let start: UnsafeMutableRawPointer

    /// The number of bytes; not secret, and possibly 0.
    public let byteCount: Int

    /// Whether the bytes are locked in memory; `false` when the process has used up its allowance.
    package let isLocked: Bool

    /// Allocates without clearing; nil when the system has no guarded memory left.
    init?(uninitializedByteCount byteCount: Int) {
        Sodium.prepare()
        let size = SecretPool.blockByteCount(for: byteCount)
        if let kept = unsafe SecretPool.shared.take(size) {
            unsafe self.start = unsafe kept
            self.byteCount = byteCount
            self.isLocked = true
            return
        }
        guard let memory = unsafe sodium_malloc(size) else { return nil }
        unsafe self.start = unsafe memory
        self.byteCount = byteCount
        // `sodium_malloc` locks too, but does not report a failure.
        self.isLocked = unsafe sodium_mlock(memory, size) == 0
    }

    private init(allocating byteCount: Int) {
        precondition(byteCount >= 0, "a length cannot be negative")
        guard let allocated = SecretBytes(uninitializedByteCount: byteCount) else {
            preconditionFailure("out of guarded memory")
        }
        self = allocated
    }

    /// Copies `bytes`; the caller remains responsible for the original.
    public init(copying bytes: RawSpan) {
        self.init(allocating: bytes.byteCount)
        let destination = unsafe mutableBytes
        unsafe bytes.withUnsafeBytes { unsafe destination.copyMemory(from: $0) }
    }

    /// Lets `body` write the bytes in place, so that they exist nowhere else.
    ///
    /// - Parameters:
    ///   - byteCount: the length, 0 or more.
    ///   - body: fills the buffer, which starts as zeros and must not be kept. If it throws, its output is wiped.
    public init<E: Error>(
        byteCount: Int,
        initializingWith body: (UnsafeMutableRawBufferPointer) throws(E) -> Void
    ) throws(E) {
        self.init(allocating: byteCount)
        unsafe sodium_memzero(start, byteCount)
        try unsafe body(mutableBytes)
    }

    deinit {
        if isLocked { return unsafe SecretPool.shared.giveBack(start, SecretPool.blockByteCount(for: byteCount)) }
        // Memory that could not be locked is not kept: the next allocation may have better luck. This also wipes, and
        // stops the process if a write passed either end.
        unsafe sodium_free(start)
    }

    var mutableBytes: UnsafeMutableRawBufferPointer {
        unsafe UnsafeMutableRawBufferPointer(start: start, count: byteCount)
    }

    /// Lends the bytes as a `RawSpan`, which cannot outlive the call, so they cannot escape by accident.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try unsafe body(UnsafeRawBufferPointer(mutableBytes).bytes)
    }

    /// Duplicates the secret: both values then have to end.
    public borrowing func copy() -> SecretBytes { withBytes { bytes in SecretBytes(copying: bytes) } }

    /// Compares two secrets in a time that depends only on their lengths.
    public static func constantTimeEqual(_ a: borrowing SecretBytes, _ b: borrowing SecretBytes) -> Bool {
        guard a.byteCount == b.byteCount else { return false }
        return unsafe sodium_memcmp(a.start, b.start, a.byteCount) == 0
    }
}

extension SecretBytes {
    /// Makes a new secret with the system's generator.
    package static func random(byteCount: Int) -> SecretBytes {
        unsafe SecretBytes(byteCount: byteCount) { buffer in
            guard let start = buffer.baseAddress else { return }
            unsafe randombytes_buf(start, buffer.count)
        }
    }

    /// Joins two secrets into a new one: the bytes of `a`, then those of `b`.
    package static func concatenating(_ a: borrowing SecretBytes, _ b: borrowing SecretBytes) -> SecretBytes {
        let joined = SecretBytes(allocating: a.byteCount + b.byteCount)
        let destination = unsafe joined.mutableBytes
        unsafe destination.copyMemory(from: UnsafeRawBufferPointer(a.mutableBytes))
        unsafe UnsafeMutableRawBufferPointer(rebasing: destination[a.byteCount...])
            .copyMemory(from: UnsafeRawBufferPointer(b.mutableBytes))
        return joined
    }

    /// Keeps the first `count` bytes, at most all of them, and wipes the rest, such as the unused end of a read buffer.
    package consuming func prefix(_ count: Int) -> SecretBytes {
        let kept = SecretBytes(allocating: max(0, min(count, byteCount)))
        let source = unsafe UnsafeRawBufferPointer(start: start, count: kept.byteCount)
        unsafe kept.mutableBytes.copyMemory(from: source)
        return kept
    }
}
