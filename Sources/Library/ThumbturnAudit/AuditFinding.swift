/// What is wrong with an export, in terms of the records' places.
package enum AuditFinding: Error, Hashable, Sendable {
    /// The first line isn't the header of a device's export: this is another file, or none.
    case noExport
    /// The header is that of another version of the format.
    case otherVersion(UInt64)

    /// The second line isn't that of a device.
    case deviceMalformed
    /// The device's key is none of those that the caller trusts; the fingerprint is its own.
    case deviceUnknown(fingerprint: String)
    /// The line in this record's place isn't a record.
    case recordMalformed(UInt64)
    /// The record's content was changed after it was hashed.
    case recordChanged(UInt64)
    /// The record in this place is another device's, or another epoch's.
    case recordForeign(UInt64)
    /// Records are missing in between, or stand further down.
    case recordsMissing(from: UInt64, through: UInt64)
    /// A record stands where a later one was expected: for the second time, or out of order.
    case recordRepeated(UInt64, before: UInt64)
    /// The record doesn't continue the one before it, or, the first, isn't the beginning of this device's chain: one of
    /// the two was exchanged.
    case recordUnchained(UInt64)
    /// The header doesn't count this record.
    case recordUncounted(UInt64)
    /// The file ends, perhaps within a line, where this record was expected, or behind all of them the head.
    case cutOff(at: UInt64)

    /// The head isn't one.
    case headMalformed
    /// The head is another device's, or another epoch's.
    case headForeign
    /// The head counts records that aren't there: the end of the trail was cut off.
    case endMissing(from: UInt64, through: UInt64)
    /// The head is that of another record than the last one.
    case headElsewhere(last: UInt64)
    /// The header counts other records than there are.
    case countWrong(header: UInt64, found: UInt64)
    /// The signature isn't this device's over this export.
    case signatureWrong
    /// Something follows the head.
    case trailing
}

extension AuditFinding {
    /// Whether the bytes are no export that could be verified, rather than one that fails.
    package var isNoExport: Bool {
        switch self {
        case .noExport, .otherVersion: true
        case .deviceMalformed, .deviceUnknown, .recordMalformed, .recordChanged, .recordForeign, .recordsMissing,
            .recordRepeated, .recordUnchained, .recordUncounted, .cutOff, .headMalformed, .headForeign, .endMissing,
            .headElsewhere, .countWrong, .signatureWrong, .trailing:
            false
        }
    }

    /// The place of the first record that is broken, missing or too many; nil where all is about the file as a whole.
    package var seq: UInt64? {
        switch self {
        case .recordMalformed(let seq), .recordChanged(let seq), .recordForeign(let seq), .recordUnchained(let seq),
            .recordUncounted(let seq), .recordsMissing(from: let seq, through: _), .recordRepeated(let seq, before: _),
            .cutOff(at: let seq), .endMissing(from: let seq, through: _):
            seq
        case .noExport, .otherVersion, .deviceMalformed, .deviceUnknown, .headMalformed, .headForeign, .headElsewhere,
            .countWrong, .signatureWrong, .trailing:
            nil
        }
    }
}
