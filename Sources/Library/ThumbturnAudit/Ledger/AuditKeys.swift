package import ThumbturnJSON

/// The keys of a log: `audit` of an account, and the answer to `GET /v1/audit/key`.
package struct AuditKeys: Equatable, Sendable {
    /// The most keys of a list.
    package static let maximumCount = 256

    /// The log's name.
    package let origin: String
    /// In the order in which they came.
    package let keys: [AuditKey]

    /// Creates a list.
    package init(origin: String, keys: [AuditKey]) { (self.origin, self.keys) = (origin, keys) }

    /// `{keys: […], origin}`.
    package var json: JSON { ["keys": .array(keys.map(\.json)), "origin": .string(origin)] }

    /// Reads a list strictly: it is accepted if it is written with the same members and values, in any order.
    ///
    /// - Throws: `.malformed`; also for a key that comes twice, for none, and for more than 256.
    package init(reading json: JSON) throws(AuditError) {
        guard case .array(let list) = try json.member("keys"), (1...Self.maximumCount).contains(list.count) else {
            throw .malformed
        }
        let keys = try list.map { key throws(AuditError) in try AuditKey(reading: key) }
        self.init(origin: try json.text("origin"), keys: keys)
        guard AuditCheckpoint.accepts(origin: origin), Set(keys.map(\.publicKey)).count == keys.count,
            try self.json.canonicalBytes() == json.canonicalBytes()
        else { throw .malformed }
    }

    /// Which of the keys may be trusted: the known ones, and later ones that a known key, or one that is trusted so, named
    /// in a note of this log that both signed.
    ///
    /// Keys that came with the first proved answer are for the caller to take as known.
    ///
    /// - Parameter known: trusted keys of this log.
    /// - Returns: in the list's order.
    package func accepted(knowing known: [AuditKey]) -> [AuditKey] {
        let known = Set(known.map(\.publicKey))
        var accepted = keys.filter { known.contains($0.publicKey) }
        var left = keys.filter { !known.contains($0.publicKey) }
        // A key is trusted through those that were so before: again, until a round brings none.
        while true {
            let named = left.filter { key in accepted.contains { isNamed(key, by: $0) } }
            guard !named.isEmpty else { break }
            accepted += named
            left.removeAll { named.contains($0) }
        }
        return keys.filter(accepted.contains)
    }

    private func isNamed(_ key: AuditKey, by former: AuditKey) -> Bool {
        guard let text = key.checkpoint, let note = try? AuditNote(reading: text),
            note.checkpoint.origin.utf8.elementsEqual(origin.utf8)
        else { return false }
        return (try? AuditSuccession.check(note, former: former, later: key)) != nil
    }
}
