internal import ThumbturnCrypto

/// The place of a sealed value in the tables, which the value is bound to.
///
/// All of it is authenticated with the value, so that a value moved to another account, column, row or epoch does not
/// open.
package enum SealedCell: Sendable {
    /// `accounts.name`; it has no epoch, because it survives a password change.
    case name(account: [UInt8])
    /// `accounts.verifier`.
    case verifier(account: [UInt8], epoch: Int64)
    /// `accounts.envelope`.
    case envelope(account: [UInt8], epoch: Int64)
    /// `tokens.session_key`, which also authenticates the token's account and times.
    case sessionKey(token: [UInt8], account: [UInt8], epoch: Int64, loginAt: Int64, expiresAt: Int64)
    /// `handshakes.secret`; for an unknown name, `account` is the substitute's.
    case handshakeSecret(handshake: [UInt8], account: [UInt8], epoch: Int64)
    /// `devices.contact_key`; it has no epoch, because it proves the answer that the password was changed.
    case contactKey(device: [UInt8], account: [UInt8])
    /// The name key, in `keys`.
    case nameKey

    /// The name of the derived key.
    var column: String {
        switch self {
        case .name: "accounts.name"
        case .verifier: "accounts.verifier"
        case .envelope: "accounts.envelope"
        case .sessionKey: "tokens.session_key"
        case .handshakeSecret: "handshakes.secret"
        case .contactKey: "devices.contact_key"
        case .nameKey: "keys.name"
        }
    }

    /// Returns the column, then account, epoch and the rest of the row, in canonical encoding.
    func associatedData() throws(CryptoError) -> [UInt8] {
        var writer = ByteWriter()
        try writer.writeString(column, maximum: 64)
        func write(_ identifier: [UInt8], _ epoch: Int64) throws(CryptoError) {
            try writer.writeBytes(identifier, maximum: 64)
            writer.writeInt64(epoch)
        }
        switch self {
        case .name(let account): try write(account, 0)
        case .verifier(let account, let epoch), .envelope(let account, let epoch): try write(account, epoch)
        case .sessionKey(let token, let account, let epoch, let loginAt, let expiresAt):
            try write(account, epoch)
            try writer.writeBytes(token, maximum: 64)
            writer.writeInt64(loginAt)
            writer.writeInt64(expiresAt)
        case .handshakeSecret(let handshake, let account, let epoch):
            try write(account, epoch)
            try writer.writeBytes(handshake, maximum: 64)
        case .contactKey(let device, let account):
            try write(account, 0)
            try writer.writeBytes(device, maximum: 64)
        case .nameKey: break
        }
        return writer.bytes
    }
}
