/// Verifies a service's export in the memory of one line, the right edge of the tree, and a small state for each chain.
///
/// What is wrong first, from the file's beginning on, ends it as a finding; a verifier that threw one is spent. What only
/// the next checkpoint can tell is told there: `docs/audit-format.md` has the order.
package struct LedgerVerifier: Sendable {
    private let pinned: [[UInt8]]?
    private let known: AuditCheckpoint?
    /// The line that has not ended yet.
    private var line: [UInt8] = []
    private var trail: LedgerTrail?
    private var summary: LedgerSummary?

    /// Starts at the file's first byte.
    ///
    /// - Parameters:
    ///   - pinned: the public keys that are trusted, SubjectPublicKeyInfo in DER; nil trusts those that sign first, so that
    ///     their fingerprints have to be compared.
    ///   - known: a head that the log signed before, whose tree this one has to pass through; one of another log is
    ///     ignored, and a later one than the export's is told as a remark.
    package init(pinned: [[UInt8]]? = nil, known: AuditCheckpoint? = nil) {
        (self.pinned, self.known) = (pinned, known)
    }

    /// Reads a piece of the file, of any length.
    package mutating func take(_ piece: [UInt8]) throws(LedgerFinding) {
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            try add(rest[..<end])
            try readLine()
            line.removeAll(keepingCapacity: true)
            rest = rest[(end + 1)...]
        }
        try add(rest)
    }

    /// Ends the file.
    package func finish() throws(LedgerFinding) -> LedgerSummary {
        guard let trail else { throw .noExport }
        guard let summary else { throw .cutOff(at: trail.next) }
        return summary
    }

    private mutating func add(_ part: ArraySlice<UInt8>) throws(LedgerFinding) {
        guard summary == nil || part.isEmpty else { throw .trailing }
        guard part.count <= LedgerLine.maximumByteCount - line.count else {
            guard trail != nil else { throw .noExport }
            // As a line of nothing, which may stand nowhere.
            line.removeAll()
            return try readLine()
        }
        line += part
    }

    private mutating func readLine() throws(LedgerFinding) {
        guard summary == nil else { throw .trailing }
        // Not bound to a name: a second copy would have each line copy the tree.
        guard trail != nil else {
            trail = LedgerTrail(readingHeader: line, pinned: pinned, known: known)
            if trail == nil { throw .noExport }
            return
        }
        summary = try trail?.take(line) ?? nil
    }
}
