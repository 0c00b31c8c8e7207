import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The stored form of the ledger; its MAC key comes from the ledger's device secret, so it needs no master key.
extension Ledger {
    static let format: UInt8 = 1

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(Self.format)
        writer.writeFixed(vault.bytes)
        writer.writeFixed(position.bytes)
        writer.writeOptional(parent) { writer, mark in writer.writeFixed(mark.bytes) }
        writer.writeOptional(head) { writer, digest in writer.writeFixed(digest) }
        writer.writeAttempts(attempts)
        writer.writeOptional(beforeAttempt) { writer, attempts in writer.writeAttempts(attempts) }
        writer.writeUInt32(biometricFailures)
        writer.writeFlag(wasLockedOut)
        writer.writeOptional(lastStrongAuthentication) { writer, reading in writer.writeClock(reading) }
        writer.writeOptional(lastUse) { writer, reading in writer.writeClock(reading) }
        writer.writeOptional(lastServerContact) { writer, reading in writer.writeClock(reading) }
        writer.writeOptional(revocation) { writer, revocation in
            writer.writeFixed(revocation.slot.bytes)
            writer.writeUInt8(revocation.reason.rawValue)
        }
        writer.writeUInt8(UInt8(truncatingIfNeeded: slots.count))
        for slot in slots { writer.writeFixed(slot.bytes) }
        writer.writeOptional(policyEpoch) { writer, epoch in
            writer.writeUInt64(epoch)
            writer.writeOptional(lastOfflineAttempt) { writer, reading in writer.writeClock(reading) }
            writer.writeFlag(deviceIsRevoked)
        }
        return writer.bytes
    }

    /// Reads a ledger whose MAC was verified.
    init(parsing bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard try reader.readUInt8() == Self.format else { throw .malformed }
        self.init(vault: try reader.readIdentifier(), position: try LedgerPosition(from: &reader))
        parent = try reader.readOptional { (reader) throws(CryptoError) in try reader.readIdentifier() }
        head = try reader.readOptional { (reader) throws(CryptoError) in try reader.readFixed(SHA256.byteCount) }
        attempts = try AttemptRecord(from: &reader)
        beforeAttempt = try reader.readOptional { (reader) throws(CryptoError) in try AttemptRecord(from: &reader) }
        biometricFailures = try reader.readUInt32()
        wasLockedOut = try reader.readFlag()
        lastStrongAuthentication = try reader.readOptional(Self.readClock)
        lastUse = try reader.readOptional(Self.readClock)
        lastServerContact = try reader.readOptional(Self.readClock)
        revocation = try reader.readOptional { (reader) throws(CryptoError) in
            let slot = try reader.readIdentifier()
            guard let reason = RevocationReason(rawValue: try reader.readUInt8()) else { throw .malformed }
            return Revocation(slot: slot, reason: reason)
        }
        for _ in 0..<(try reader.readUInt8()) { slots.append(try reader.readIdentifier()) }
        policyEpoch = try reader.readOptional { (reader) throws(CryptoError) in try reader.readUInt64() }
        if policyEpoch != nil {
            lastOfflineAttempt = try reader.readOptional(Self.readClock)
            deviceIsRevoked = try reader.readFlag()
        }
        try reader.finish()
    }

    private static func readClock(_ reader: inout ByteReader) throws(CryptoError) -> ClockReading {
        try reader.readClock()
    }
}

extension AttemptRecord {
    fileprivate init(from reader: inout ByteReader) throws(CryptoError) {
        let failures = try reader.readUInt32()
        let since = try reader.readOptional { (reader) throws(CryptoError) in try reader.readClock() }
        let banked = Milliseconds(try reader.readInt64())
        guard banked >= .zero else { throw .malformed }
        self.init(failures: failures, since: since, banked: banked, isReliable: try reader.readFlag())
    }
}

extension ByteWriter {
    fileprivate mutating func writeAttempts(_ attempts: AttemptRecord) {
        writeUInt32(attempts.failures)
        writeOptional(attempts.since) { writer, reading in writer.writeClock(reading) }
        writeInt64(attempts.banked.count)
        writeFlag(attempts.isReliable)
    }
}
