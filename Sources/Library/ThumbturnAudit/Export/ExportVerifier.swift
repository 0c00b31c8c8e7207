/// Verifies an export of either kind, a device's or a service's: which it is, its header says.
package struct ExportVerifier: Sendable {
    /// What an export tells that verified to its end.
    package enum Summary: Equatable, Sendable {
        /// A device's.
        case device(AuditSummary)
        /// A service's.
        case ledger(LedgerSummary)
    }

    /// What is wrong with one.
    package enum Finding: Error, Hashable, Sendable {
        /// With a device's, or with a file that is neither.
        case device(AuditFinding)
        /// With a service's.
        case ledger(LedgerFinding)
    }

    private enum Kind: Sendable {
        case device(AuditVerifier)
        case ledger(LedgerVerifier)
    }

    private let pinned: [[UInt8]]?
    private let known: AuditCheckpoint?
    /// The file up to the end of its first line.
    private var start: [UInt8] = []
    private var kind: Kind?

    /// Starts at the file's first byte.
    ///
    /// - Parameters:
    ///   - pinned: the public keys that are trusted, SubjectPublicKeyInfo in DER; nil trusts any, so that fingerprints have
    ///     to be compared.
    ///   - known: a head that the log of a service's export signed before, as for `LedgerVerifier`.
    package init(pinned: [[UInt8]]? = nil, known: AuditCheckpoint? = nil) {
        (self.pinned, self.known) = (pinned, known)
    }

    /// Verifies a whole export.
    ///
    /// - Parameters:
    ///   - pinned: as for `init`.
    ///   - known: as for `init`.
    ///   - next: returns the next piece of the file, of any length; nil at its end.
    /// - Throws: what `next` throws, and nothing else.
    package static func verify<E: Error>(
        pinned: [[UInt8]]? = nil,
        known: AuditCheckpoint? = nil,
        _ next: () throws(E) -> [UInt8]?
    ) throws(E) -> Result<Summary, Finding> {
        var verifier = ExportVerifier(pinned: pinned, known: known)
        while let piece = try next() {
            do throws(Finding) { try verifier.take(piece) } catch { return .failure(error) }
        }
        do throws(Finding) { return .success(try verifier.finish()) } catch { return .failure(error) }
    }

    /// Reads a piece of the file, of any length.
    package mutating func take(_ piece: [UInt8]) throws(Finding) {
        guard kind == nil else { return try pass(piece) }
        start += piece
        let end = start.firstIndex(of: UInt8(ascii: "\n"))
        guard end != nil || start.count > AuditLine.maximumByteCount else { return }
        kind =
            Self.isLedger(startingWith: start)
            ? .ledger(LedgerVerifier(pinned: pinned, known: known)) : .device(AuditVerifier(pinned: pinned))
        let file = start
        start = []
        try pass(file)
    }

    /// Ends the file.
    package func finish() throws(Finding) -> Summary {
        switch kind {
        case .device(let verifier):
            do throws(AuditFinding) { return .device(try verifier.finish()) } catch { throw .device(error) }
        case .ledger(let verifier):
            do throws(LedgerFinding) { return .ledger(try verifier.finish()) } catch { throw .ledger(error) }
        case nil: throw .device(.noExport)
        }
    }

    /// Whether a file whose first line is in these bytes is a service's.
    package static func isLedger(startingWith start: [UInt8]) -> Bool {
        let header = Array(start.prefix { $0 != UInt8(ascii: "\n") })
        return header.count < start.count && LedgerTrail(readingHeader: header, pinned: nil, known: nil) != nil
    }

    private mutating func pass(_ piece: [UInt8]) throws(Finding) {
        // Taken out while it reads: a second copy would have each piece copy the tree.
        switch kind.take() {
        case .device(var verifier):
            do throws(AuditFinding) { try verifier.take(piece) } catch { throw .device(error) }
            kind = .device(verifier)
        case .ledger(var verifier):
            do throws(LedgerFinding) { try verifier.take(piece) } catch { throw .ledger(error) }
            kind = .ledger(verifier)
        case nil: break
        }
    }
}
