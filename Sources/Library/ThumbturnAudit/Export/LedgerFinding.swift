package import ThumbturnRules

/// What is wrong with a service's export, in terms of the leaves' places.
package enum LedgerFinding: Error, Hashable, Sendable {
    /// The first line isn't the header of a service's export.
    case noExport

    // Keys.

    /// There is no line of a key, or one is malformed, or a key comes again.
    case keyMalformed
    /// The keys are not in the order of `from`.
    case keysUnordered
    /// None of the keys that signed first is one that the caller trusts; the fingerprint is of the first of them.
    case keyUnknown(fingerprint: String)
    /// No trusted key vouches for this one.
    case keyUnnamed(fingerprint: String)
    /// A key signs first at another size than its line says, or never.
    case keyElsewhere(fingerprint: String)
    /// The log took a key with this id, which signs, and has no line.
    case keyUnlisted(id: String)

    // Leaves.

    /// The line in this leaf's place is none that may stand there.
    case leafMalformed(UInt64)
    /// The header doesn't count this leaf.
    case leafUncounted(UInt64)
    /// In this leaf's place stands another.
    case leafElsewhere(UInt64, found: UInt64)
    /// The record's content was changed after it was hashed.
    case recordChanged(UInt64)
    /// The record doesn't continue its device's chain: what is wrong there, with its places in the chain.
    case recordUnchained(UInt64, device: Identifier, AuditFinding)
    /// The record's chain ended before it, in a fork.
    case recordForked(UInt64)
    /// The record is the first of its chain, and the line of its device isn't right before it.
    case deviceMissing(UInt64)
    /// The line of a device before this leaf is malformed, or its chain began before.
    case deviceMalformed(UInt64)
    /// The line of a device stands before this leaf, which isn't the first of its chain.
    case deviceIdle(UInt64)
    /// The record carries another signature than the first checkpoint that covers it.
    case signatureElsewhere(UInt64)
    /// The service's time fell back with this leaf.
    case timeFell(UInt64)

    // Uploads; each names the first record that it brought.

    /// No upload stands behind the record and those that came with it.
    case uploadMissing(UInt64)
    /// The upload behind the record isn't one.
    case uploadMalformed(UInt64)
    /// The upload behind the record is that of others.
    case uploadElsewhere(UInt64)
    /// The upload's signature isn't the device's.
    case uploadUnsigned(UInt64)
    /// An upload that brought nothing stands before this leaf.
    case uploadIdle(UInt64)

    // Checkpoints; each names the leaves that it alone vouches for.

    /// The checkpoint behind them isn't one, or is another log's.
    case checkpointMalformed(from: UInt64)
    /// The checkpoint behind them is of another size.
    case checkpointElsewhere(from: UInt64, size: UInt64)
    /// No key of the log signed the checkpoint, or a signature is wrong.
    case checkpointUnsigned(from: UInt64)
    /// These leaves are missing before a checkpoint that counts them.
    case leavesMissing(from: UInt64, through: UInt64)
    /// One of these leaves was changed: together they have not the tree that was signed.
    case leavesChanged(from: UInt64, through: UInt64)
    /// The tree is right and signed, and another than the log showed before: it has two faces.
    case otherFace(size: UInt64)

    /// The file ends, perhaps within a line, before its last checkpoint; this leaf is the next, or the number of all.
    case cutOff(at: UInt64)
    /// Something follows the last checkpoint.
    case trailing
}

extension LedgerFinding {
    /// The places of the leaf that is broken, missing or too many, or of those of which one is; nil where all is about the
    /// file as a whole.
    package var leaves: ClosedRange<UInt64>? {
        switch self {
        case .leafMalformed(let index), .leafUncounted(let index), .leafElsewhere(let index, found: _),
            .recordChanged(let index), .recordUnchained(let index, device: _, _), .recordForked(let index),
            .deviceMissing(let index), .deviceMalformed(let index), .deviceIdle(let index),
            .signatureElsewhere(let index), .timeFell(let index), .uploadMissing(let index),
            .uploadMalformed(let index), .uploadElsewhere(let index), .uploadUnsigned(let index),
            .uploadIdle(let index), .checkpointMalformed(from: let index),
            .checkpointElsewhere(from: let index, size: _), .checkpointUnsigned(from: let index),
            .cutOff(at: let index):
            index...index
        case .leavesMissing(from: let first, through: let last), .leavesChanged(from: let first, through: let last):
            first...max(first, last)
        case .noExport, .keyMalformed, .keysUnordered, .keyUnknown, .keyUnnamed, .keyElsewhere, .keyUnlisted,
            .otherFace, .trailing:
            nil
        }
    }
}
