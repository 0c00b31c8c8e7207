/// The key of one slot: it wraps the master key and nothing else.
///
/// There are two ways to one. What a person chose must come as a `StretchedSecret`, and only a `RandomSecret` may come as
/// it is; so an envelope around a guessable secret without the slow derivation does not compile.
package struct KeyEncryptionKey: ~Copyable, Sendable {
    let bytes: SecretBytes

    /// Derives the key from both halves: HKDF over `stretched` (32 bytes) ‖ `deviceShare`.
    ///
    /// - Parameters:
    ///   - stretched: what the person knows.
    ///   - deviceShare: what this device contributes, which a copy of the vault's file lacks.
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

    /// Derives the key from both halves of which neither can be guessed: HKDF over `secret` (32 bytes) ‖ `deviceShare`.
    package init(
        secret: borrowing RandomSecret,
        deviceShare: borrowing SecretBytes,
        salt: [UInt8],
        purpose: String
    ) {
        let known = unsafe UnsafeRawBufferPointer(secret.bytes.mutableBytes)
        let owned = unsafe UnsafeRawBufferPointer(deviceShare.mutableBytes)
        self.bytes = unsafe HKDFSHA256.key(purpose: purpose, salt: salt, from: [known, owned])
    }

    /// Wraps `key`: an AES-256-GCM box of 60 bytes.
    ///
    /// - Parameters:
    ///   - key: the master key.
    ///   - associatedData: everything the slot says about itself, in canonical encoding.
    /// - Throws: `CryptoError.backendFailed`.
    package borrowing func wrap(
        _ key: borrowing MasterKey,
        associatedData: [UInt8]
    ) throws(CryptoError) -> [UInt8] {
        try key.bytes.withBytes { (plaintext) throws(CryptoError) in
            try AES256GCM.seal(plaintext, key: bytes, associatedData: associatedData)
        }
    }

    /// Unwraps the master key.
    ///
    /// - Throws: `CryptoError.authenticationFailed` for a wrong secret or any change to the box or the associated data;
    ///   `.malformed` if `box` does not hold 32 bytes.
    package borrowing func unwrap(_ box: [UInt8], associatedData: [UInt8]) throws(CryptoError) -> MasterKey {
        guard box.count == MasterKey.byteCount + AES256GCM.overhead else { throw .malformed }
        return try MasterKey(unwrapped: AES256GCM.open(box, key: bytes, associatedData: associatedData))
    }
}
