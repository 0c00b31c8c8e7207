package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// The account whose password opens a vault, as the vault's head names it.
package struct VaultAccount: Hashable, Sendable {
    /// The service: its address, and what vouches for it there.
    package struct Service: Hashable, Sendable {
        /// The service's name, independent of its address: this device signs it, and the account's envelope is bound to
        /// it.
        package let name: String
        /// Scheme, host and port to connect to.
        package let address: String
        /// The path of the certificates that vouch for it; nil for the system's.
        package let authority: String?
        /// The base64 of the SHA-256 of the required public key; nil for any key.
        package let pin: String?

        package init(name: String, address: String, authority: String? = nil, pin: String? = nil) {
            (self.name, self.address, self.authority, self.pin) = (name, address, authority, pin)
        }
    }

    /// How the password was last proved, so that a service which asks for weaker parameters is noticed.
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

    package var service: Service
    /// The account's name at the service.
    package let name: String
    /// Replaces the name in every record.
    package let userID: Identifier
    /// The id of this device at the service.
    package var device: Identifier
    /// This device's signing key.
    package var deviceKey: ItemName
    package var login: Login

    package init(
        service: Service,
        name: String,
        userID: Identifier,
        device: Identifier,
        deviceKey: ItemName,
        login: Login
    ) {
        (self.service, self.name, self.userID) = (service, name, userID)
        (self.device, self.deviceKey, self.login) = (device, deviceKey, login)
    }

    /// Returns whether both are one device of one account, at any address: the service's answers then hold for either.
    func isSameDevice(as other: VaultAccount) -> Bool {
        service.name == other.service.name && userID == other.userID && device == other.device
            && deviceKey == other.deviceKey
    }

    func write(to writer: inout ByteWriter) {
        for text in [service.name, service.address] { writer.writeText(text) }
        for text in [service.authority, service.pin] { writer.writeOptional(text) { $0.writeText($1) } }
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
        let (called, address) = (try Self.readText(&reader), try Self.readText(&reader))
        let authority = try reader.readOptional(Self.readText)
        let pin = try reader.readOptional(Self.readText)
        service = Service(name: called, address: address, authority: authority, pin: pin)
        name = try reader.readString(maximum: ByteWriter.longestText)
        userID = try reader.readIdentifier()
        device = try reader.readIdentifier()
        deviceKey = try reader.readItemName()
        guard let group = SRPGroup(code: try reader.readUInt8()) else { throw .malformed }
        let cost = Argon2Parameters(memoryKiB: try reader.readUInt32(), passes: try reader.readUInt32())
        login = Login(group: group, cost: cost, saltDigest: try reader.readFixed(SHA256.byteCount))
    }

    private static func readText(_ reader: inout ByteReader) throws(CryptoError) -> String {
        try reader.readString(maximum: ByteWriter.longestText)
    }
}

extension ByteWriter {
    /// The longest text in a head's account, in bytes.
    static let longestText = 4_096

    /// Writes a text that was checked at its input; a longer text is cut, and the head then does not read back.
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
