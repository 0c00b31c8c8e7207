import ThumbturnCrypto
import ThumbturnRules

/// The sealed part of an open handshake: b and the name, with which the proof is computed.
///
/// One box of constant size contains both: b (32) ‖ length (1) ‖ name ‖ zeros (up to 64).
struct HandshakeSecret: ~Copyable {
    private static let secretByteCount = 32
    private static let byteCount = secretByteCount + 1 + AccountName.mostCharacters

    /// The name that the login was started for.
    let name: AccountName
    private let secret: SecretBytes

    init(_ secret: consuming SecretBytes, _ name: AccountName) {
        self.secret = secret
        self.name = name
    }

    /// Splits the result of `joined()`; returns `nil` for anything else.
    init?(_ bytes: borrowing SecretBytes) {
        guard bytes.byteCount == Self.byteCount else { return nil }
        let parts = bytes.withBytes { bytes in
            (Self.secretByteCount..<Self.byteCount).map { bytes.byte(at: $0) }
        }
        guard let name = AccountName(String(decoding: parts.dropFirst().prefix(Int(parts[0])), as: UTF8.self)) else {
            return nil
        }
        self.name = name
        secret = bytes.withBytes { SecretBytes(copying: $0.extracting(first: Self.secretByteCount)) }
    }

    /// Returns b and the name in one value.
    borrowing func joined() -> SecretBytes {
        var rest = [UInt8(name.bytes.count)] + name.bytes
        rest += [UInt8](repeating: 0, count: Self.byteCount - Self.secretByteCount - rest.count)
        return .concatenating(secret, SecretBytes(public: rest))
    }

    /// Returns b.
    consuming func takeSecret() -> SecretBytes { secret }
}
