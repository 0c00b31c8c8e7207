import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Stored credentials: the sealed box, the item of the secure store that opens it, and the item's protection.
///
/// The item contains 32 random bytes and nothing else (C1): it is useless without this record, and the record without
/// the item. Name, protection and item are authenticated, so no record can replace another.
struct CredentialRecord: Equatable {
    static let format: UInt8 = 1
    /// AES-256-GCM and HKDF-SHA256, as in a wallet's record.
    private static let suite: UInt8 = 1
    /// The largest size of encoded credentials: 1 MiB.
    static let maximumEncoded = 1 << 20

    let name: CredentialName
    let item: ItemName
    let protection: CredentialProtection
    /// The kind of device that stores the item.
    let device: DeviceKind
    /// A box with the encoded credentials.
    let sealed: [UInt8]

    /// Creates a record from stored values.
    ///
    /// - Throws: `.vaultDamaged` for values that no vault wrote.
    init(name: CredentialName, item: String, protection: Int64, device: Int64, sealed: [UInt8]) throws(VaultError) {
        guard let item = ItemName(text: item), item.purpose == .credential,
            let protection = UInt8(exactly: protection).flatMap(CredentialProtection.init),
            let device = UInt8(exactly: device).flatMap(DeviceKind.init),
            0...Self.maximumEncoded ~= sealed.count - AES256GCM.overhead
        else { throw VaultError(.vaultDamaged, "credential") }
        self.name = name
        self.item = item
        self.protection = protection
        self.device = device
        self.sealed = sealed
    }

    /// Seals credentials for a new item, whose name is never used again.
    init(
        sealing credentials: borrowing SecretBytes,
        named name: CredentialName,
        under secret: borrowing RandomSecret,
        protection: CredentialProtection,
        device: DeviceKind
    ) throws(VaultError) {
        self.name = name
        self.protection = protection
        self.device = device
        let item = ItemName(vault: .make(), purpose: .credential, unique: .make())
        let key = secret.derive("credential")
        self.item = item
        sealed = try translating { () throws(CryptoError) in
            let header = try Self.header(name, item, protection, device)
            return try credentials.withBytes { (bytes) throws(CryptoError) in
                try AES256GCM.seal(bytes, key: key, associatedData: header)
            }
        }
    }

    /// Opens the credentials.
    ///
    /// - Throws: `.credentialsNotRead` for another secret, or when anything in the record was changed.
    func open(with secret: borrowing RandomSecret) throws(VaultError) -> SecretBytes {
        let key = secret.derive("credential")
        do {
            return try AES256GCM.open(sealed, key: key, associatedData: Self.header(name, item, protection, device))
        } catch {
            throw error == .authenticationFailed
                ? VaultError(.credentialsNotRead, "not as it was sealed") : VaultError(error)
        }
    }

    /// Encodes what the box authenticates besides its content.
    private static func header(
        _ name: CredentialName,
        _ item: ItemName,
        _ protection: CredentialProtection,
        _ device: DeviceKind
    ) throws(CryptoError) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(format)
        writer.writeUInt8(suite)
        writer.writeUInt8(protection.rawValue)
        writer.writeUInt8(device.rawValue)
        try writer.writeString(name.text, maximum: CredentialName.mostBytes)
        try writer.writeString(item.text, maximum: 128)
        return writer.bytes
    }
}
