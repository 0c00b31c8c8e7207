import ThumbturnCrypto
import ThumbturnRules

/// What is written while the vault is locked: attempts, failures, times of use, and the right of the biometric slot.
///
/// Its MAC is made with a key that the device secret gives, so that it works without the master key; its sequence is
/// mirrored by the device's anchor. It can only take rights away: the state is the head minus this, and whatever is
/// missing or can't be believed is replaced by the strictest reading, dated now.
struct Ledger: Equatable {
    static let format: UInt8 = 1

    /// A biometric slot that must not be used any more.
    struct Revocation: Equatable {
        let slot: Identifier
        let reason: RevocationReason
    }

    let vault: Identifier
    /// Rises with every attempt, failure, revocation and change of the slots.
    var sequence: UInt64
    var attempts = AttemptRecord()
    var biometricFailures: UInt32 = 0
    var wasLockedOut = false
    var lastStrongAuthentication: ClockReading?
    var lastUse: ClockReading?
    var lastServerContact: ClockReading?
    var revocation: Revocation?
    /// The slots that belong to the vault.
    ///
    /// A slot that was changed away stays away, whatever head and row are put back (A7).
    var slots: [Identifier] = []

    init(vault: Identifier, sequence: UInt64) {
        self.vault = vault
        self.sequence = sequence
    }

    /// What stands in the place of a ledger that can't be believed (INV-107-08, A8, A20).
    static func unreliable(
        vault: Identifier,
        sequence: UInt64,
        slots: [Identifier],
        at now: ClockReading
    ) -> Ledger {
        var ledger = Ledger(vault: vault, sequence: sequence)
        ledger.slots = slots
        ledger.attempts = .unreliable(at: now)
        return ledger
    }

    /// The sequence that follows; it stops at the end of its range instead of trapping, since an anchor may lie.
    static func sequence(after sequence: UInt64) -> UInt64 {
        let (sum, overflow) = sequence.addingReportingOverflow(1)
        return overflow ? sequence : sum
    }

    /// Counts one more demand, for the anchor to follow.
    mutating func advance() { sequence = Self.sequence(after: sequence) }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.writeUInt8(Self.format)
        writer.writeFixed(vault.bytes)
        writer.writeUInt64(sequence)
        writer.writeUInt32(attempts.failures)
        writer.writeOptional(attempts.since) { writer, reading in writer.writeClock(reading) }
        writer.writeFlag(attempts.isReliable)
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
        return writer.bytes
    }

    /// Reads a ledger whose MAC was verified.
    init(parsing bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard try reader.readUInt8() == Self.format else { throw .malformed }
        vault = try reader.readIdentifier()
        sequence = try reader.readUInt64()
        let failures = try reader.readUInt32()
        let since = try reader.readOptional(Self.readClock)
        attempts = AttemptRecord(failures: failures, since: since, isReliable: try reader.readFlag())
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
        try reader.finish()
    }

    private static func readClock(_ reader: inout ByteReader) throws(CryptoError) -> ClockReading {
        try reader.readClock()
    }
}
