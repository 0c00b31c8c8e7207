/// The key of one slot: it wraps only the master key.
///
/// There are two ways to make one. A secret chosen by a person must be a `StretchedSecret`, and only a `RandomSecret`
/// may be used directly; so an envelope around a guessable secret without the slow derivation does not compile.
package struct KeyEncryptionKey: ~Copyable, Sendable {
    let bytes: SecretBytes

    /// Derives the key from both halves: HKDF over `stretched` (32 bytes) ‖ `deviceShare`.
    ///
    /// - Parameters:
    ///   - stretched: the secret that the person knows.
    ///   - deviceShare: the device's contribution, which a copy of the vault's file lacks.
    ///   - salt: stored with the slot.
    ///   - purpose: the slot's kind, such as `pin-slot`; `info` is `thumbturn.v1.` ‖ `purpose`.
    package init(
        stretched: borrowing StretchedSecret,
        deviceShare: borrowing SecretBytes,
        salt: [UInt8],
        purpose: String
    ) {
        let known = unsafe UnsafeRawBufferPointer(stretched.bytes.mutableBytes)
        let owned = unsafe UnsafeRawBufferPointer(deviceShare.mutableBytes)
        self.bytes = unsafe HKDFSHA256.key(purpose: purpose, salt: salt, from: [known, owned])
    }

    /// Derives the key from a secret with full entropy; `info` is `thumbturn.v1.` ‖ `purpose`.
    package init(secret: borrowing RandomSecret, salt: [UInt8], purpose: String) {
        let input = unsafe UnsafeRawBufferPointer(secret.bytes.mutableBytes)
        self.bytes = unsafe HKDFSHA256.key(purpose: purpose, salt: salt, from: [input])
    }

    /// Derives the key from two halves that can't be guessed: HKDF over `secret` (32 bytes) ‖ `deviceShare`.
    package init(secret: borrowing RandomSecret, deviceShare: borrowing SecretBytes, salt: [UInt8], purpose: String) {
        let known = unsafe UnsafeRawBufferPointer(secret.bytes.mutableBytes)
        let owned = unsafe UnsafeRawBufferPointer(deviceShare.mutableBytes)
        self.bytes = unsafe HKDFSHA256.key(purpose: purpose, salt: salt, from: [known, owned])
    }

    /// Wraps `key`: an AES-256-GCM box of 60 bytes.
    ///
    /// - Parameters:
    ///   - key: the master key.
    ///   - associatedData: all fields of the slot, in canonical encoding.
    /// - Throws: `CryptoError.backendFailed`.
    package borrowing func wrap(_ key: borrowing MasterKey, associatedData: [UInt8]) throws(CryptoError) -> [UInt8] {
        try key.bytes.withBytes { (plaintext) throws(CryptoError) in
            try AES256GCM.seal(plaintext, key: bytes, associatedData: associatedData)
        }
    }

    /// Unwraps the master key.
    ///
    /// - Throws: `CryptoError.authenticationFailed` for a wrong secret or any change to the box or the associated data;
    /// `.malformed` if `box` does not contain 32 bytes.
    package borrowing func unwrap(_ box: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> MasterKey {
        guard box.count == MasterKey.byteCount + AES256GCM.overhead else { throw .malformed }
        return try MasterKey(unwrapped: AES256GCM.open(box, key: bytes, associatedData: associatedData))
    }
}
