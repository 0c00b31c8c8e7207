package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// The account whose password opens a vault, as the vault's head names it.
package struct VaultAccount: Hashable, Sendable {
    /// How the password was last proved, so that a service which asks for less is noticed.
    package struct Login: Hashable, Sendable {
        /// The group of SRP-6a.
        package var group: SRPGroup
        /// The cost of the slow derivation.
        package var cost: Argon2Parameters
        /// SHA-256 of the salt.
        package var saltDigest: [UInt8]

        package init(group: SRPGroup, cost: Argon2Parameters, saltDigest: [UInt8]) {
            (self.group, self.cost, self.saltDigest) = (group, cost, saltDigest)
        }
    }

    /// The origin of the service, as it is dialled.
    package let service: String
    /// The name of the account there.
    package let name: String
    /// Stands for the name in every record.
    package let userID: Identifier
    /// Names this device to the service.
    package var device: Identifier
    /// The key that signs for this device.
    package var deviceKey: ItemName
    package var login: Login

    package init(
        service: String,
        name: String,
        userID: Identifier,
        device: Identifier,
        deviceKey: ItemName,
        login: Login
    ) {
        (self.service, self.name, self.userID) = (service, name, userID)
        (self.device, self.deviceKey, self.login) = (device, deviceKey, login)
    }

    func write(to writer: inout ByteWriter) {
        writer.writeText(service)
        writer.writeText(name)
        writer.writeFixed(userID.bytes)
        writer.writeFixed(device.bytes)
        writer.writeText(deviceKey.text)
        writer.writeUInt8(login.group.code)
        writer.writeUInt32(login.cost.memoryKiB)
        writer.writeUInt32(login.cost.passes)
        writer.writeFixed(login.saltDigest)
    }

    init(from reader: inout ByteReader) throws(CryptoError) {
        service = try reader.readString(maximum: ByteWriter.longestText)
        name = try reader.readString(maximum: ByteWriter.longestText)
        userID = try reader.readIdentifier()
        device = try reader.readIdentifier()
        deviceKey = try reader.readItemName()
        guard let group = SRPGroup(code: try reader.readUInt8()) else { throw .malformed }
        let cost = Argon2Parameters(memoryKiB: try reader.readUInt32(), passes: try reader.readUInt32())
        login = Login(group: group, cost: cost, saltDigest: try reader.readFixed(SHA256.byteCount))
    }
}

extension ByteWriter {
    /// The longest text of an account that a head holds, in bytes; an origin has at most 8 + 253 + 6.
    static let longestText = 300

    /// Writes a text that was checked where it came in; what is too long is cut, and the head does not read back.
    fileprivate mutating func writeText(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.longestText))
        try? writeBytes(bytes, maximum: Self.longestText)
    }
}

extension SRPGroup {
    fileprivate var code: UInt8 {
        switch self {
        case .bits2048: 1
        case .bits3072: 2
        case .bits4096: 3
        }
    }

    fileprivate init?(code: UInt8) {
        guard let group = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = group
    }
}
