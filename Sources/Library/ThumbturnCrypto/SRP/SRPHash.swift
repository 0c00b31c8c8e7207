/// The hash of SRP-6a.
///
/// We use SHA-256. Only the vectors of RFC 5054 use SHA-1, which their test provides.
protocol SRPHash: ~Copyable {
    static var byteCount: Int { get }

    init()
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    /// Writes `byteCount` bytes and consumes the state.
    mutating func finalize(into digest: UnsafeMutableRawBufferPointer)
}

extension SRPHash where Self: ~Copyable {
    /// Computes the digest of the input from `feed`; as secret as the input.
    static func digest(_ feed: (inout Self) -> Void) -> SecretBytes {
        withCleanStack(.shallow) {
            var state = Self()
            feed(&state)
            return unsafe SecretBytes(byteCount: byteCount) { unsafe state.finalize(into: $0) }
        }
    }

    mutating func update(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe update($0) } }

    mutating func update(_ bytes: borrowing SecretBytes) { unsafe update(UnsafeRawBufferPointer(bytes.mutableBytes)) }
}

extension SHA256State: SRPHash {
    static let byteCount = SHA256.byteCount
}
