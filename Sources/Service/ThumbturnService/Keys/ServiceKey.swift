internal import ThumbturnCrypto

/// The identifier of a service key: 8 bytes derived from it that reveal nothing about it.
package struct ServiceKeyIdentifier: Hashable, Sendable {
    static let byteCount = 8
    let bytes: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// The identifier as 16 lower-case hexadecimal digits.
    package var text: String { String(decoding: TextCode.hexadecimal.encode(bytes), as: UTF8.self) }
}

/// A service key: 32 random bytes, under which the service seals what a thief of its database must not read.
///
/// It is only used as input of HKDF. Each sealed value has its own key, derived with a salt of 16 random bytes, so that
/// no number of logins comes near the limit of one AES-GCM key.
struct ServiceKey: Sendable {
    static let byteCount = 32
    let identifier: ServiceKeyIdentifier
    private let secret: HeldSecret

    /// Draws a new key.
    static func make() throws(CryptoError) -> ServiceKey {
        try ServiceKey(loading: SecretBytes.random(byteCount: byteCount))
    }

    /// Loads a key that `make()` once drew.
    ///
    /// - Throws: `.malformed` unless there are 32 bytes.
    init(loading bytes: consuming SecretBytes) throws(CryptoError) {
        guard bytes.byteCount == Self.byteCount else { throw .malformed }
        let name = try HKDFSHA256.derive(
            from: bytes,
            salt: [],
            info: Array("thumbturn.v1.service-key-id".utf8),
            byteCount: ServiceKeyIdentifier.byteCount
        )
        guard let identifier = ServiceKeyIdentifier(name.withBytes { Array(copying: $0) }) else { throw .malformed }
        self.identifier = identifier
        secret = HeldSecret(bytes)
    }

    /// Derives the key of one sealed value.
    func key(of column: String, salt: [UInt8]) throws(CryptoError) -> SecretBytes {
        let info = Array("thumbturn.v1.service-column".utf8) + [0] + Array(column.utf8)
        return try HKDFSHA256.derive(from: secret.bytes, salt: salt, info: info)
    }

    /// Passes the bytes to `body`, for the key's file.
    func withBytes(_ body: (RawSpan) -> Void) { secret.bytes.withBytes(body) }
}

extension [UInt8] {
    /// Copies bytes that are not secret, or not any more.
    init(copying bytes: RawSpan) { self = unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
}
