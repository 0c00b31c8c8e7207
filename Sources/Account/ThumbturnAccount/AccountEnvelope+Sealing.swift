import ThumbturnCrypto
package import ThumbturnRules

// Sealed: format (1) ‖ AES-256-GCM box of the plaintext, under the envelope's key.
// Plaintext: number of keys (1) ‖ keys (32 each, newest first) ‖ their names (16 each) ‖ number of devices (2) ‖ for
// each device, sorted by identifier: identifier (16) ‖ index of its key (1).
extension AccountEnvelope {
    /// The maximum size of a sealed envelope, enforced by the service: 33 keys and 128 devices fit.
    package static let mostBytes = 4_096

    static let format: UInt8 = 1
    private static let purpose = "thumbturn.v1.account-envelope"

    /// Seals the envelope.
    ///
    /// - Parameters:
    ///   - key: the key of the password that is to open it.
    ///   - account: the account's name.
    ///   - origin: the service's name, as reported by a login.
    /// - Throws: `.devicesLag` if it would exceed the service's limit, or `.crypto`.
    package borrowing func sealed(
        under key: borrowing EnvelopeKey,
        of account: AccountName,
        at origin: String
    ) throws(AccountFailure) -> [UInt8] {
        let plaintext = plaintext
        let associatedData = try Self.associatedData(key, account, origin)
        let box = try computing { () throws(CryptoError) in
            try plaintext.withBytes { (plaintext) throws(CryptoError) in
                try AES256GCM.seal(plaintext, key: key.bytes, associatedData: associatedData, prefix: [Self.format])
            }
        }
        guard box.count <= Self.mostBytes else { throw .devicesLag }
        return box
    }

    /// Opens the envelope received with a login.
    ///
    /// - Throws: `.keyMissing` if there is none, or if no device sealed it under this key for this account at this
    ///   service; `.crypto` if there is no memory.
    package init(
        opening sealed: [UInt8]?,
        with key: borrowing EnvelopeKey,
        of account: AccountName,
        at origin: String
    ) throws(AccountFailure) {
        guard let sealed, sealed.count <= Self.mostBytes, sealed.first == Self.format else { throw .keyMissing }
        let associatedData = try Self.associatedData(key, account, origin)
        do throws(CryptoError) {
            let plaintext = try AES256GCM.open(
                Array(sealed.dropFirst()),
                key: key.bytes,
                associatedData: associatedData
            )
            try self.init(plaintext)
        } catch {
            throw error == .outOfMemory ? .crypto(error) : .keyMissing
        }
    }

    /// Returns the SHA-256 of a sealed envelope, 32 bytes, which identifies it to the service.
    package static func digest(of sealed: [UInt8]) -> [UInt8] { SHA256.digest(sealed) }

    /// Returns data that binds an envelope to its service, account, salt and cost.
    static func associatedData(
        _ key: borrowing EnvelopeKey,
        _ account: AccountName,
        _ origin: String
    ) throws(AccountFailure) -> [UInt8] {
        try computing { () throws(CryptoError) in
            var writer = ByteWriter()
            try writer.writeString(purpose, maximum: 64)
            writer.writeUInt8(format)
            try writer.writeString(origin, maximum: 512)
            try writer.writeString(account.text, maximum: AccountName.mostCharacters)
            try writer.writeBytes(key.salt, maximum: 16)
            writer.writeUInt32(key.kdf.memoryKiB)
            writer.writeUInt32(key.kdf.passes)
            return writer.bytes
        }
    }

    var plaintext: SecretBytes {
        var tail = ByteWriter()
        for name in keys.names { tail.writeFixed(name.bytes) }
        tail.writeUInt16(UInt16(clamping: wrapped.count))
        // Sort by identifier, so that the same contents have one encoding.
        for (device, key) in wrapped.sorted(by: { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }) {
            tail.writeFixed(device.bytes)
            tail.writeUInt8(UInt8(clamping: keys.names.firstIndex(of: key) ?? 0))
        }
        let (count, bytes) = (keys.bytes.byteCount, tail.bytes)
        return keys.bytes.withBytes { secret in
            unsafe SecretBytes(byteCount: 1 + count + bytes.count) { target in
                unsafe target[0] = UInt8(clamping: count / AccountKeys.keyByteCount)
                unsafe secret.withUnsafeBytes { source in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: target[1...]).copyMemory(from: source)
                }
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[(1 + count)...]).copyBytes(from: bytes)
            }
        }
    }

    /// Reads the encoding of `plaintext`; only names and devices are copied into arrays.
    private init(_ plaintext: borrowing SecretBytes) throws(CryptoError) {
        let keyCount = plaintext.byteCount > 0 ? plaintext.withBytes { Int($0.byte(at: 0)) } : 0
        let end = 1 + keyCount * AccountKeys.keyByteCount
        guard (1...Self.mostFormerKeys + 1).contains(keyCount), end <= plaintext.byteCount else { throw .malformed }
        var reader = ByteReader(
            plaintext.withBytes { bytes in
                unsafe bytes.extracting(end..<bytes.byteCount).withUnsafeBytes { unsafe [UInt8]($0) }
            }
        )
        var names: [Identifier] = []
        for _ in 0..<keyCount { names.append(try reader.readIdentifier()) }
        var wrapped: [Identifier: Identifier] = [:]
        var former: [UInt8] = []
        for _ in 0..<(try reader.readUInt16()) {
            let device = try reader.readIdentifier()
            let place = Int(try reader.readUInt8())
            guard former.lexicographicallyPrecedes(device.bytes), place < keyCount else { throw .malformed }
            former = device.bytes
            wrapped[device] = names[place]
        }
        try reader.finish()
        let bytes = plaintext.withBytes { SecretBytes(copying: $0.extracting(1..<end)) }
        let keys = try AccountKeys(names: names, bytes: bytes)
        do throws(AccountFailure) { try self.init(keys: keys, wrapped: wrapped) } catch { throw .malformed }
    }
}

extension ByteReader {
    fileprivate mutating func readIdentifier() throws(CryptoError) -> Identifier {
        guard let identifier = Identifier(bytes: try readFixed(16)) else { throw .malformed }
        return identifier
    }
}
