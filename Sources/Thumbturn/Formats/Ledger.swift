import ThumbturnCrypto
import ThumbturnRules

/// The ledger as it is stored; its MAC is made with a key that the ledger's secret gives, so that it works without the
/// master key.
extension Ledger {
    /// What is written today: 3 where an account's epoch was heard, else 2; format 1, a number without mark, parent, head and
    /// banked time, is still read.
    private var format: UInt8 { policyEpoch == nil ? 2 : Self.newestFormat }
    static let newestFormat: UInt8 = 3

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(format)
        writer.writeFixed(vault.bytes)
        writer.writeUInt64(position.sequence)
        for mark in [position.mark, parent] {
            writer.writeOptional(mark) { writer, mark in writer.writeFixed(mark.bytes) }
        }
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
        if let policyEpoch {
            writer.writeUInt64(policyEpoch)
            writer.writeOptional(lastOfflineAttempt) { writer, reading in writer.writeClock(reading) }
            writer.writeFlag(deviceIsRevoked)
        }
        return writer.bytes
    }

    /// Reads a ledger whose MAC was verified.
    init(parsing bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        let format = try reader.readUInt8()
        guard 1...Self.newestFormat ~= format else { throw .malformed }
        let vault = try reader.readIdentifier()
        let sequence = try reader.readUInt64()
        let mark = format > 1 ? try reader.readOptional(Self.readIdentifier) : nil
        self.init(vault: vault, position: LedgerPosition(sequence: sequence, mark: mark))
        if format > 1 {
            parent = try reader.readOptional(Self.readIdentifier)
            head = try reader.readOptional { (reader) throws(CryptoError) in try reader.readFixed(SHA256.byteCount) }
        }
        attempts = try AttemptRecord(from: &reader, in: format)
        if format > 1 {
            beforeAttempt = try reader.readOptional { (reader) throws(CryptoError) in
                try AttemptRecord(from: &reader, in: format)
            }
        }
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
        if format > 2 {
            policyEpoch = try reader.readUInt64()
            lastOfflineAttempt = try reader.readOptional(Self.readClock)
            deviceIsRevoked = try reader.readFlag()
        }
        try reader.finish()
    }

    private static func readClock(_ reader: inout ByteReader) throws(CryptoError) -> ClockReading {
        try reader.readClock()
    }

    private static func readIdentifier(_ reader: inout ByteReader) throws(CryptoError) -> Identifier {
        try reader.readIdentifier()
    }
}

extension AttemptRecord {
    fileprivate init(from reader: inout ByteReader, in format: UInt8) throws(CryptoError) {
        let failures = try reader.readUInt32()
        let since = try reader.readOptional { (reader) throws(CryptoError) in try reader.readClock() }
        let banked = Milliseconds(format > 1 ? try reader.readInt64() : 0)
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
