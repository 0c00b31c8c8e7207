/// The hash of SRP-6a.
///
/// Ours is SHA-256. The vectors of RFC 5054 alone are older: their test brings SHA-1 along.
protocol SRPHash: ~Copyable {
    static var byteCount: Int { get }

    init()
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// Writes `byteCount` bytes and uses the state up.
    mutating func finalize(into digest: UnsafeMutableRawBufferPointer)
}

extension SRPHash where Self: ~Copyable {
    /// Computes the digest of what `feed` hands in; it is a secret where that is one.
    static func digest(_ feed: (inout Self) -> Void) -> SecretBytes {
        withCleanStack(.shallow) {
            var state = Self()
            feed(&state)
            return unsafe SecretBytes(byteCount: byteCount) { unsafe state.finalize(into: $0) }
        }
    }

    mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    mutating func update(_ bytes: borrowing SecretBytes) {
        unsafe update(UnsafeRawBufferPointer(bytes.mutableBytes))
    }
}

extension SHA256State: SRPHash {
    static let byteCount = SHA256.byteCount
}
