/// A 32-byte secret with full entropy that a store keeps for us: a biometric key, a system key, a recovery key.
///
/// It needs no slow derivation, and a secret chosen by a person can't become one.
package struct RandomSecret: ~Copyable, Sendable {
    static let byteCount = 32
    let bytes: SecretBytes

    private init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Makes a new secret with the system's generator.
    package static func make() -> RandomSecret { RandomSecret(SecretBytes.random(byteCount: byteCount)) }

    /// Takes ownership of bytes that `make()` generated and a store returned.
    ///
    /// - Throws: `CryptoError.malformed` unless there are 32.
    package init(loading bytes: consuming SecretBytes) throws(CryptoError) {
        guard bytes.byteCount == Self.byteCount else { throw .malformed }
        self.bytes = bytes
    }

    /// Lends the bytes, to save or show them.
    package borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try bytes.withBytes(body)
    }

    /// Duplicates the secret for a second owner.
    package borrowing func copy() -> RandomSecret { RandomSecret(bytes.copy()) }

    /// Duplicates the bytes for a store that takes ownership.
    package borrowing func copyBytes() -> SecretBytes { bytes.copy() }

    /// Derives the 32-byte key of one purpose, for data that this secret alone opens.
    ///
    /// `info` = `thumbturn.v1.` ‖ `purpose`. There is no salt: the secret is new for each envelope.
    package borrowing func derive(_ purpose: String) -> SecretBytes {
        let input = unsafe UnsafeRawBufferPointer(bytes.mutableBytes)
        return unsafe HKDFSHA256.key(purpose: purpose, salt: [], from: [input])
    }
}
