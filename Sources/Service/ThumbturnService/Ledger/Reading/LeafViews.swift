import ThumbturnAudit

/// What readers get of leaves: a record with the signature of the first head that covers it, an entry as it is.
///
/// Heads are read a few at a time, for leaves in order.
struct LeafViews {
    private let log: SignedLog
    private let keys: AuditKeys
    private var notes: ArraySlice<(size: UInt64, signature: [UInt8], keyId: String)> = []

    init(of log: SignedLog) throws(StoreError) { (self.log, keys) = (log, try log.keys()) }

    /// Returns a line, without its newline.
    ///
    /// - Parameter index: larger than the one of the call before.
    mutating func line(of leaf: [UInt8], at index: UInt64) throws(StoreError) -> [UInt8] {
        while let first = notes.first, first.size <= index { notes.removeFirst() }
        if notes.isEmpty { notes = try signatures(from: index)[...] }
        guard let note = notes.first else { throw .damaged }
        return AuditLeaf.view(leaf, signature: note.signature, keyId: note.keyId)
    }

    private func signatures(
        from index: UInt64
    ) throws(StoreError) -> [(size: UInt64, signature: [UInt8], keyId: String)] {
        try log.notes(covering: index, most: 64).map { size, text throws(StoreError) in
            guard let note = try? AuditNote(reading: text), let signed = note.signature(ofFirst: keys.keys) else {
                throw .damaged
            }
            return (size, signed.bytes, signed.key.id)
        }
    }
}
