package import ThumbturnCrypto

/// What a device needs to open an account's vault without its service: salt and cost for the password, and the
/// envelope.
package struct OfflineLogin: Hashable, Sendable {
    /// 16 bytes.
    package let salt: [UInt8]
    package let cost: Argon2Parameters
    /// The envelope in the service's format.
    package let envelope: [UInt8]

    package init(salt: [UInt8], cost: Argon2Parameters, envelope: [UInt8]) {
        (self.salt, self.cost, self.envelope) = (salt, cost, envelope)
    }

    private static let mostEnvelopeBytes = 4_096

    /// The bytes that are sealed.
    var plaintext: [UInt8] {
        get throws(CryptoError) {
            var writer = ByteWriter()
            writer.writeFixed(salt)
            writer.writeUInt32(cost.memoryKiB)
            writer.writeUInt32(cost.passes)
            try writer.writeBytes(envelope, maximum: Self.mostEnvelopeBytes)
            return writer.bytes
        }
    }

    /// Reads opened bytes.
    init(_ plaintext: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(plaintext)
        salt = try reader.readFixed(SlotRecord.saltByteCount)
        cost = Argon2Parameters(memoryKiB: try reader.readUInt32(), passes: try reader.readUInt32())
        envelope = try reader.readBytes(maximum: Self.mostEnvelopeBytes)
        try reader.finish()
    }
}
