import ThumbturnAudit

/// Verifies the signed heads of a log, and the keys that signed them.
///
/// The first key is taken as the log's own: whether it is that is for the operator to compare. Each later one has to be
/// named by a head that a former one signed.
struct NotesCheck {
    private let origin: String
    private var keys: [AuditKey] = []
    private var refused: Set<[UInt8]> = []
    /// The keys that count from a head that was not met yet.
    private var awaited: [AuditKey] = []
    /// The size of the last head.
    private(set) var last: UInt64?
    /// The last head that a key of the log signed.
    private(set) var head: AuditCheckpoint?

    init(origin: String) { self.origin = origin }

    /// Takes the keys that the log has now, of which some may be known.
    ///
    /// - Returns: keys that no former one named.
    mutating func take(_ all: [AuditKey]) -> [LedgerFault] {
        let accepted = AuditKeys(origin: origin, keys: all).accepted(knowing: Array(all.prefix(1)))
        let known = Set(keys.map(\.publicKey))
        awaited += accepted.filter { key in !known.contains(key.publicKey) && key.from > 0 }
        keys = accepted
        let others = all.filter { !accepted.contains($0) && refused.insert($0.publicKey).inserted }
        return others.map { .keyWrong(id: $0.id) }
    }

    /// Takes the next signed head.
    ///
    /// - Returns: its root, if a key of the log signed it.
    mutating func take(_ size: UInt64, _ text: [UInt8]) -> (root: [UInt8]?, faults: [LedgerFault]) {
        last = size
        guard let note = try? AuditNote(reading: text), note.checkpoint.size == size,
            note.checkpoint.origin.utf8.elementsEqual(origin.utf8)
        else { return (nil, [.noteWrong(size: size)]) }
        var faults: [LedgerFault] = []
        let signers = keys.filter { note.signature(by: $0) != nil }
        let isSigned = !signers.isEmpty && signers.allSatisfy { (try? note.verify(by: $0)) != nil }
        for key in awaited where key.from <= size {
            if key.from < size || !isSigned || !signers.contains(key) { faults.append(.keyWrong(id: key.id)) }
        }
        awaited.removeAll { $0.from <= size }
        if !isSigned { faults.insert(.noteWrong(size: size), at: 0) }
        if isSigned { head = note.checkpoint }
        return (isSigned ? note.checkpoint.root : nil, faults)
    }

    /// Returns the keys whose first head never came.
    func finish() -> [LedgerFault] { awaited.map { .keyWrong(id: $0.id) } }
}
