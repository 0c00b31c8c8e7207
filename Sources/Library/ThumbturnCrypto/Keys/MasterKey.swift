/// The 32 random bytes from which every other key of a vault is derived.
///
/// It is only ever an input to HKDF, never itself a cipher key: keys are found in freed cipher contexts. It leaves this
/// type only wrapped by a `KeyEncryptionKey`.
package struct MasterKey: ~Copyable, Sendable {
    static let byteCount = 32
    let bytes: SecretBytes

    /// Makes a new master key with the system's generator.
    package static func make() -> MasterKey { MasterKey(SecretBytes.random(byteCount: byteCount)) }

    private init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// Takes ownership of an envelope's contents.
    init(unwrapped bytes: consuming SecretBytes) throws(CryptoError) {
        guard bytes.byteCount == Self.byteCount else { throw .malformed }
        self.bytes = bytes
    }

    /// Derives the 32-byte key of one purpose.
    ///
    /// `info` = `thumbturn.v1.` ‖ `purpose`, and if there is a context: ‖ 0x00 ‖ `context`.
    ///
    /// - Parameters:
    ///   - purpose: a plain name such as `wallet-key`.
    ///   - context: what the key belongs to, such as an identifier and a generation, in canonical encoding.
    ///   - salt: stored with the data that the key seals; may be empty.
    package borrowing func derive(_ purpose: String, context: [UInt8], salt: [UInt8]) -> SecretBytes {
        let input = unsafe UnsafeRawBufferPointer(bytes.mutableBytes)
        return unsafe HKDFSHA256.key(purpose: purpose, context: context, salt: salt, from: [input])
    }

    /// Compares two master keys in constant time.
    package static func matches(_ a: borrowing MasterKey, _ b: borrowing MasterKey) -> Bool {
        SecretBytes.constantTimeEqual(a.bytes, b.bytes)
    }

    /// Duplicates the key for a second owner.
    package borrowing func copy() -> MasterKey { MasterKey(bytes.copy()) }
}
