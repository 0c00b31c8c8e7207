/// The key and initialisation vector of one ciphertext older than the vault: AES-256-CBC with PKCS#7 padding.
///
/// It opens and never seals. CBC has no tag: with a wrong key the padding is valid once in about 255 times, and an
/// attacker who can write the ciphertext can change the plaintext. Trust only what the plaintext itself proves, such as
/// a mnemonic's checksum.
package struct LegacyKey: ~Copyable, Sendable {
    /// The length of a salt for `init(digesting:salt:)`, in bytes.
    package static let digestSaltByteCount = 8
    /// The length of a block and of an initialisation vector, in bytes.
    package static let blockByteCount = 16

    private static let keyByteCount = 32
    private static let digestByteCount = 16
    // OpenSSL counts in `Int32`; a mnemonic is far smaller.
    private static let maximumByteCount = 1 << 20

    // Key ‖ initialisation vector.
    let bytes: SecretBytes

    /// Derives both as `openssl enc -md md5` does: OpenSSL's `EVP_BytesToKey` with MD5 and one round.
    ///
    /// D1 = MD5(password ‖ salt), D2 = MD5(D1 ‖ password ‖ salt), D3 = MD5(D2 ‖ password ‖ salt); D1 ‖ D2 is the key,
    /// D3 the initialisation vector. MD5 is fast, so this protects a short PIN little.
    ///
    /// - Throws: `CryptoError.parametersOutOfRange` unless `salt` has 8 bytes, `.backendFailed` if there is no MD5.
    package init(digesting password: borrowing SecretBytes, salt: [UInt8]) throws(CryptoError) {
        guard salt.count == Self.digestSaltByteCount else { throw .parametersOutOfRange }
        let input = unsafe UnsafeRawBufferPointer(password.mutableBytes)
        let byteCount = Self.keyByteCount + Self.blockByteCount
        self.bytes = try unsafe SecretBytes(byteCount: byteCount) { (output) throws(CryptoError) in
            let derived = withCleanStack(.shallow) {
                guard let md5 = MD5State() else { return false }
                return unsafe salt.withUnsafeBytes { salt in
                    stride(from: 0, to: byteCount, by: Self.digestByteCount).allSatisfy { start in
                        let before = unsafe UnsafeRawBufferPointer(
                            rebasing: output[max(0, start - Self.digestByteCount)..<start]
                        )
                        let digest = unsafe UnsafeMutableRawBufferPointer(
                            rebasing: output[start..<start + Self.digestByteCount]
                        )
                        return unsafe md5.digest([before, input, salt], into: digest)
                    }
                }
            }
            guard derived else { throw .backendFailed }
        }
    }

    /// Derives the key with Argon2id; the initialisation vector is stored with the ciphertext.
    ///
    /// - Throws: `CryptoError.parametersOutOfRange` before anything runs, `.outOfMemory`, or `.backendFailed`.
    package init(
        stretching password: borrowing SecretBytes,
        salt: [UInt8],
        cost: LegacyArgon2id.Cost,
        by argon2id: LegacyArgon2id,
        initializationVector: [UInt8]
    ) throws(CryptoError) {
        guard initializationVector.count == Self.blockByteCount else { throw .parametersOutOfRange }
        let key = try argon2id.derive(from: password, salt: salt, cost: cost)
        self.bytes = unsafe SecretBytes(byteCount: Self.keyByteCount + Self.blockByteCount) { output in
            unsafe output.copyMemory(from: UnsafeRawBufferPointer(key.mutableBytes))
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[Self.keyByteCount...])
                .copyBytes(from: initializationVector)
        }
    }

    /// Opens a ciphertext and removes the padding.
    ///
    /// - Throws: `CryptoError.malformed` unless there are whole blocks, at least one and at most a mebibyte;
    ///   `.authenticationFailed` for invalid padding: the key is wrong or the ciphertext was changed, but valid padding
    ///   proves nothing; `.outOfMemory`, or `.backendFailed`.
    package borrowing func open(_ ciphertext: [UInt8]) throws(CryptoError) -> SecretBytes {
        guard !ciphertext.isEmpty, ciphertext.count.isMultiple(of: Self.blockByteCount),
            ciphertext.count <= Self.maximumByteCount
        else { throw .malformed }
        guard let padded = SecretBytes(uninitializedByteCount: ciphertext.count) else { throw .outOfMemory }
        let output = unsafe padded.mutableBytes
        let key = unsafe UnsafeRawBufferPointer(rebasing: bytes.mutableBytes[..<Self.keyByteCount])
        let vector = unsafe UnsafeRawBufferPointer(rebasing: bytes.mutableBytes[Self.keyByteCount...])
        let opened = withCleanStack(.shallow) {
            unsafe ciphertext.withUnsafeBufferPointer { ciphertext in
                unsafe CBCBackend.open(ciphertext, key: key, initializationVector: vector, into: output)
            }
        }
        guard opened else { throw .backendFailed }
        let padding = unsafe Int(output[output.count - 1])
        guard (1...Self.blockByteCount).contains(padding),
            unsafe output.suffix(padding).allSatisfy({ $0 == UInt8(padding) })
        else { throw .authenticationFailed }
        return padded.prefix(ciphertext.count - padding)
    }
}
