#if canImport(Clibsodium)
import Clibsodium
#else
import CSodium
#endif

/// A private key for Ed25519 (RFC 8032) in software.
package struct Ed25519PrivateKey: ~Copyable, Sendable {
    /// The length of a seed in bytes.
    package static let byteCount = 32

    /// The seed, then the public key: libsodium signs with both.
    private let pair: SecretBytes
    /// 32 bytes.
    package let publicKey: [UInt8]

    /// Makes a new key with the system's generator.
    package static func make() throws(CryptoError) -> Ed25519PrivateKey {
        try Ed25519PrivateKey(seed: .random(byteCount: byteCount))
    }

    /// Takes ownership of a seed.
    ///
    /// - Throws: `CryptoError.malformed` for another length than 32 bytes.
    package init(seed: consuming SecretBytes) throws(CryptoError) {
        guard seed.byteCount == Self.byteCount else { throw .malformed }
        Sodium.prepare()
        var publicKey = [UInt8](repeating: 0, count: 32)
        pair = unsafe SecretBytes(byteCount: Self.byteCount + publicKey.count) { pair in
            guard let start = unsafe pair.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
            let seed = unsafe seed.start.assumingMemoryBound(to: UInt8.self)
            _ = withCleanStack { unsafe crypto_sign_ed25519_seed_keypair(&publicKey, start, seed) }
        }
        self.publicKey = publicKey
    }

    /// Signs `message`, which is hashed here.
    ///
    /// - Returns: 64 bytes, the same each time.
    package borrowing func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: 64)
        let pair = unsafe pair.start.assumingMemoryBound(to: UInt8.self)
        _ = withCleanStack {
            unsafe crypto_sign_ed25519_detached(&signature, nil, message, UInt64(message.count), pair)
        }
        return signature
    }

    /// Lends the seed, to store it.
    package borrowing func withSeed<R: ~Copyable, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try pair.withBytes { bytes throws(E) in try body(bytes.extracting(0..<Self.byteCount)) }
    }
}
