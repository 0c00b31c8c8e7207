package import ThumbturnAudit
package import ThumbturnRules

/// What is wrong with a log as it is stored, and where.
package enum LedgerFault: Hashable, Sendable {
    /// The log's row is gone, though it has leaves.
    case logMissing
    /// The log's row names another origin than the service's.
    case originWrong
    /// The log's first entry is not the one that names the former log's head, or that head is not the former log's last.
    case formerWrong
    /// The log's row has another root, time or signed size than its leaves and heads.
    case headWrong(size: UInt64)

    /// A leaf is gone.
    case leafMissing(UInt64)
    /// A leaf is not the one that was signed.
    case leafChanged(UInt64)
    /// A leaf is neither a record nor an entry, in its one form.
    case leafMalformed(UInt64)
    /// A leaf stands behind the log's end.
    case leafUncounted(UInt64)
    /// A leaf is older than the one before it.
    case timeFell(UInt64)
    /// A tile has not the hashes of its leaves, from the one above this leaf on.
    case tileChanged(MerkleTile, UInt64)
    /// The leaves from the first to the one before the second place don't give the root that was signed.
    case rootWrong(from: UInt64, to: UInt64)

    /// A signed head is not what a key of the log signed.
    case noteWrong(size: UInt64)
    /// A signed head is gone.
    case noteMissing(size: UInt64)
    /// A key was not named by the ones before it, or did not sign the head that it counts from.
    case keyWrong(id: String)

    /// A record doesn't continue its chain, or is another account's.
    case recordUnchained(UInt64)
    /// A record is of a chain of which the database has no row.
    case chainUnknown(UInt64)
    /// A chain's row has another end than its records; the index is that of the last one, if there is any.
    case chainWrong(device: Identifier, epoch: Identifier, UInt64?)
    /// A record came with no upload.
    case uploadMissing(UInt64)
    /// An upload, which begins at this leaf, is not what its device signed.
    case uploadWrong(UInt64)
    /// What forked a chain, as the entry at this leaf says, is not what came.
    case forkWrong(UInt64)

    /// An entry that waits for the log, of this number, is gone or changed.
    case outboxWrong(number: Int64)
    /// The log has another number of entries from the outbox than its row says.
    case outboxCount(entries: Int64, counted: Int64)
}

extension LedgerFault {
    /// A word for programs.
    package var code: String {
        switch self {
        case .logMissing: "logMissing"
        case .originWrong: "originWrong"
        case .formerWrong: "formerWrong"
        case .headWrong: "headWrong"
        case .leafMissing: "leafMissing"
        case .leafChanged: "leafChanged"
        case .leafMalformed: "leafMalformed"
        case .leafUncounted: "leafUncounted"
        case .timeFell: "timeFell"
        case .tileChanged: "tileChanged"
        case .rootWrong: "rootWrong"
        case .noteWrong: "noteWrong"
        case .noteMissing: "noteMissing"
        case .keyWrong: "keyWrong"
        case .recordUnchained: "recordUnchained"
        case .chainUnknown: "chainUnknown"
        case .chainWrong: "chainWrong"
        case .uploadMissing: "uploadMissing"
        case .uploadWrong: "uploadWrong"
        case .forkWrong: "forkWrong"
        case .outboxWrong: "outboxWrong"
        case .outboxCount: "outboxCount"
        }
    }

    /// The first leaf that it is about; `nil` where it is about none.
    package var index: UInt64? {
        switch self {
        case .leafMissing(let index), .leafChanged(let index), .leafMalformed(let index), .leafUncounted(let index),
            .timeFell(let index), .tileChanged(_, let index), .rootWrong(from: let index, to: _),
            .recordUnchained(let index), .chainUnknown(let index), .uploadMissing(let index), .uploadWrong(let index),
            .forkWrong(let index):
            index
        case .chainWrong(device: _, epoch: _, let index): index
        case .noteWrong(let size), .noteMissing(let size), .headWrong(let size): size > 0 ? size - 1 : nil
        case .formerWrong: 0
        case .logMissing, .originWrong, .keyWrong, .outboxWrong, .outboxCount: nil
        }
    }
}
