import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// Verifies a device's export (A42, A43) in the memory of one line, however long the file is.
///
/// What is wrong first, from the file's beginning on, ends it as a finding; a verifier that threw one is spent.
package struct AuditVerifier: Sendable {
    private let pinned: [[UInt8]]?
    /// The line that has not ended yet.
    private var line: [UInt8] = []
    // What was read so far, each once the one before it is there.
    private var count: UInt64?
    private var trail: AuditTrail?
    private var summary: AuditSummary?

    /// Starts at the file's first byte.
    ///
    /// - Parameter pinned: the public keys that are trusted, SubjectPublicKeyInfo in DER; nil trusts any, so that the
    ///   fingerprint has to be compared.
    package init(pinned: [[UInt8]]? = nil) { self.pinned = pinned }

    /// Verifies a whole export.
    ///
    /// - Parameters:
    ///   - pinned: as for `init`.
    ///   - next: returns the next piece of the file, of any length; nil at its end.
    /// - Throws: what `next` throws, and nothing else.
    package static func verify<E: Error>(
        pinned: [[UInt8]]? = nil,
        _ next: () throws(E) -> [UInt8]?
    ) throws(E) -> Result<AuditSummary, AuditFinding> {
        var verifier = AuditVerifier(pinned: pinned)
        while let piece = try next() {
            do throws(AuditFinding) { try verifier.take(piece) } catch { return .failure(error) }
        }
        do throws(AuditFinding) { return .success(try verifier.finish()) } catch { return .failure(error) }
    }

    /// Reads a piece of the file, of any length.
    package mutating func take(_ piece: [UInt8]) throws(AuditFinding) {
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
    package func finish() throws(AuditFinding) -> AuditSummary {
        guard count != nil else { throw .noExport }
        guard let summary else { throw .cutOff(at: trail?.chain.next ?? 0) }
        return summary
    }

    private mutating func add(_ part: ArraySlice<UInt8>) throws(AuditFinding) {
        guard summary == nil || part.isEmpty else { throw .trailing }
        guard part.count <= AuditLine.maximumByteCount - line.count else {
            guard count != nil else { throw .noExport }
            throw trail?.malformed ?? .deviceMalformed
        }
        line += part
    }

    private mutating func readLine() throws(AuditFinding) {
        guard summary == nil else { throw .trailing }
        guard let count else { return count = try Self.readHeader(line) }
        // Not bound to a name: a second copy would have each record copy the tally.
        guard trail != nil else { return trail = try AuditTrail(readingDevice: line, count: count, pinned: pinned) }
        if AuditLine.head.begins(line) {
            summary = try trail?.end(line)
        } else {
            try trail?.take(line)
        }
    }

    /// Returns the number of records that the header counts.
    private static func readHeader(_ line: [UInt8]) throws(AuditFinding) -> UInt64 {
        guard let content = AuditLine.header.content(of: line),
            let json = try? JSON(strictly: content, depthLimit: 1),
            (try? json.text("format")) == AuditHeader.format, let version = try? json.number("version")
        else { throw .noExport }
        guard version == AuditHeader.version else { throw .otherVersion(version) }
        guard let count = try? json.number("to"), count > 0,
            (try? AuditHeader.json(count: count).canonicalBytes()) == content
        else { throw .noExport }
        return count
    }
}
