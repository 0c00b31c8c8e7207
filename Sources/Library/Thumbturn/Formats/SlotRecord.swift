import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// One stored slot: a header in the clear, and the master key sealed under a key from the slot's secret.
///
/// The whole header is the envelope's associated data, so no field can be changed and no envelope can replace that of
/// another slot, vault, key or purpose (A4, A6). `docs/formats.md` specifies the bytes.
struct SlotRecord: Equatable {
    static let format: UInt8 = 1
    static let saltByteCount = 16
    /// AES-256-GCM, HKDF-SHA256, Argon2id v1.3.
    static let suite: UInt8 = 1

    let vault: Identifier
    let id: Identifier
    let kind: SlotKind
    /// The kind of device that the slot was made on.
    let device: DeviceKind
    /// The id of the master key inside.
    let key: Identifier
    /// The head's generation that this slot was made for.
    let generation: UInt64
    /// The cost of the slow derivation; nil if the secret has full entropy.
    let argon2: Argon2Parameters?
    /// 16 bytes, new for every slot (A3); for Argon2id and HKDF.
    let salt: [UInt8]
    /// The device secret or intermediate secret that this slot alone uses; nil for the recovery slot.
    ///
    /// A PIN's or password's also authenticates the ledger.
    let item: ItemName?
    /// The id, in the account's envelope, of the key that seals the slot; nil for all kinds but `password`.
    let accountKey: Identifier?
    /// The account's policy epoch that a biometric slot was made under; nil for all others.
    let policyEpoch: UInt64?
    /// Milliseconds since 1970.
    let createdAt: Milliseconds
    /// Nonce, the sealed master key, tag.
    var box: [UInt8] = []

    /// The authenticated part: everything except the box.
    var header: [UInt8] {
        get throws(VaultError) {
            try translating { () throws(CryptoError) in
                var writer = ByteWriter()
                writer.writeUInt8(Self.format)
                writer.writeUInt8(Self.suite)
                try writer.writeString(purpose, maximum: 32)
                writer.writeFixed(vault.bytes)
                writer.writeFixed(id.bytes)
                writer.writeUInt8(kind.rawValue)
                writer.writeUInt8(device.rawValue)
                writer.writeFixed(key.bytes)
                writer.writeUInt64(generation)
                writer.writeOptional(argon2) { writer, argon2 in
                    writer.writeUInt32(argon2.memoryKiB)
                    writer.writeUInt32(argon2.passes)
                }
                writer.writeFixed(salt)
                try writer.writeOptional(item) { (writer, item) throws(CryptoError) in
                    try writer.writeString(item.text, maximum: 128)
                }
                if let accountKey { writer.writeFixed(accountKey.bytes) }
                writer.writeOptional(policyEpoch) { writer, epoch in writer.writeUInt64(epoch) }
                writer.writeInt64(createdAt.count)
                return writer.bytes
            }
        }
    }

    /// The label of HKDF and of the header.
    var purpose: String { kind.purpose }

    /// The input on which the device secret is evaluated for this slot's share.
    var shareInput: [UInt8] { Array("thumbturn.v1.\(purpose)".utf8) + id.bytes + salt }

    var items: [ItemName] { [item].compactMap(\.self) }

    /// The stored form of the record.
    var bytes: [UInt8] {
        get throws(VaultError) {
            let header = try header
            return try translating { () throws(CryptoError) in
                var writer = ByteWriter()
                try writer.writeBytes(header, maximum: 1_024)
                try writer.writeBytes(box, maximum: 128)
                return writer.bytes
            }
        }
    }

    /// Reads an unverified stored record.
    ///
    /// - Throws: `.vaultDamaged` for any non-canonical form; a later format shows in the database's version.
    init(parsing bytes: [UInt8]) throws(VaultError) {
        self = try translating { () throws(CryptoError) in
            var reader = ByteReader(bytes)
            let header = try reader.readBytes(maximum: 1_024)
            let box = try reader.readBytes(maximum: 128)
            try reader.finish()
            var record = try SlotRecord(header: ByteReader(header))
            record.box = box
            return record
        }
        // Each record has one form: one that parses but would be written differently is not ours.
        guard try self.bytes == bytes else { throw VaultError(.vaultDamaged) }
    }

    private init(header: consuming ByteReader) throws(CryptoError) {
        guard try header.readUInt8() == Self.format, try header.readUInt8() == Self.suite else { throw .malformed }
        let purpose = try header.readString(maximum: 32)
        vault = try header.readIdentifier()
        id = try header.readIdentifier()
        guard let kind = SlotKind(rawValue: try header.readUInt8()) else { throw .malformed }
        self.kind = kind
        guard let device = DeviceKind(rawValue: try header.readUInt8()) else { throw .malformed }
        self.device = device
        key = try header.readIdentifier()
        generation = try header.readUInt64()
        argon2 = try header.readOptional { (reader) throws(CryptoError) in
            Argon2Parameters(memoryKiB: try reader.readUInt32(), passes: try reader.readUInt32())
        }
        salt = try header.readFixed(Self.saltByteCount)
        item = try header.readOptional { (reader) throws(CryptoError) in
            try reader.readItemName()
        }
        accountKey = kind == .password ? try header.readIdentifier() : nil
        policyEpoch = try header.readOptional { (reader) throws(CryptoError) in try reader.readUInt64() }
        createdAt = Milliseconds(try header.readInt64())
        try header.finish()
        guard self.purpose == purpose, kind.isGuessable == (argon2 != nil), kind.hasItem == (item != nil),
            kind.followsPolicyEpoch == (policyEpoch != nil)
        else { throw .malformed }
    }

    init(
        vault: Identifier,
        id: Identifier,
        kind: SlotKind,
        device: DeviceKind,
        key: Identifier,
        generation: UInt64,
        argon2: Argon2Parameters? = nil,
        item: ItemName?,
        accountKey: Identifier? = nil,
        policyEpoch: UInt64? = nil,
        createdAt: Milliseconds
    ) {
        self.vault = vault
        self.id = id
        self.kind = kind
        self.device = device
        self.key = key
        self.generation = generation
        self.argon2 = argon2
        self.salt = RandomBytes.make(Self.saltByteCount)
        self.item = item
        self.accountKey = accountKey
        self.policyEpoch = policyEpoch
        self.createdAt = createdAt
    }
}

extension ByteReader {
    mutating func readItemName() throws(CryptoError) -> ItemName {
        guard let name = ItemName(text: try readString(maximum: 128)) else { throw .malformed }
        return name
    }

    mutating func readIdentifier() throws(CryptoError) -> Identifier {
        guard let identifier = Identifier(bytes: try readFixed(16)) else { throw .malformed }
        return identifier
    }

    mutating func readFlag() throws(CryptoError) -> Bool {
        switch try readUInt8() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
    }

    mutating func readClock() throws(CryptoError) -> ClockReading {
        ClockReading(
            wall: Milliseconds(try readInt64()),
            boottime: Milliseconds(try readInt64()),
            bootID: try readIdentifier()
        )
    }
}

extension ByteWriter {
    mutating func writeFlag(_ flag: Bool) { writeUInt8(flag ? 1 : 0) }

    mutating func writeClock(_ reading: ClockReading) {
        writeInt64(reading.wall.count)
        writeInt64(reading.boottime.count)
        writeFixed(reading.bootID.bytes)
    }
}
