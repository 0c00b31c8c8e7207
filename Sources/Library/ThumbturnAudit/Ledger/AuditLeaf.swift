import ThumbturnCrypto
package import ThumbturnRules

/// The leaves of a log: the bytes of a record with the service's time, or of an entry of the service itself.
///
/// A leaf has no signature inside: it is signed by the checkpoints that cover it. What readers get of a record shows that
/// of the first such one.
package enum AuditLeaf {
    /// What a leaf is.
    package enum Content: Equatable, Sendable {
        /// A device's record.
        case record(AuditRecord)
        /// What the service entered.
        case entry(LedgerEntry)
    }

    /// The leaf of a record: its line with `tsServer` behind `tsClient`.
    ///
    /// - Parameter tsServer: clamped to years of four digits.
    package static func record(_ record: AuditRecord, at tsServer: Milliseconds) -> [UInt8] {
        // What stands behind `tsClient`.
        let user = record.userId.map { ",\"userId\":\"\"".utf8.count + $0.utf8.count } ?? 0
        let end = record.line.count - user - ",\"v\":1}".utf8.count
        return record.line[..<end] + Array(",\"tsServer\":\"\(tsServer.utcText)\"".utf8) + record.line[end...]
    }

    /// Reads a leaf strictly: it is accepted if writing what was read gives the same bytes.
    ///
    /// - Throws: `.malformed`; `.changed` for a record whose hash is not that of its content.
    package static func read(_ leaf: [UInt8]) throws(AuditError) -> (content: Content, tsServer: Milliseconds) {
        guard integrity(of: leaf) != nil else {
            let (entry, tsServer) = try LedgerEntry.read(leaf: leaf)
            return (.entry(entry), tsServer)
        }
        guard let member = time(in: leaf) else { throw .malformed }
        var scanner = AuditScanner(leaf, from: member.lowerBound)
        try scanner.skip(",\"tsServer\":\"")
        let tsServer = try scanner.time()
        var line = leaf
        line.removeSubrange(member)
        let record = try AuditRecord(reading: line)
        guard self.record(record, at: tsServer) == leaf else { throw .malformed }
        return (.record(record), tsServer)
    }

    /// What readers get of a leaf: a record with `integrity.signature` and `.signatureKeyId`, an entry as it is.
    ///
    /// - Parameters:
    ///   - signature: in DER, of the first checkpoint that covers the leaf.
    ///   - keyId: that of its key, 8 hexadecimal digits.
    package static func view(_ leaf: [UInt8], signature: [UInt8], keyId: String) -> [UInt8] {
        guard let integrity = integrity(of: leaf) else { return leaf }
        var view = leaf
        let code = String(decoding: TextCode.base64.encode(signature), as: UTF8.self)
        view.insert(
            contentsOf: ",\"signature\":\"\(code)\",\"signatureKeyId\":\"\(keyId)\"".utf8,
            at: integrity.upperBound
        )
        return view
    }

    /// Takes a view of a record apart, strictly: it is accepted if `view` makes the same bytes of what was read.
    ///
    /// - Returns: bytes that have yet to be read as a leaf, and what was added to them.
    /// - Throws: `.malformed`.
    package static func read(
        view: [UInt8]
    ) throws(AuditError) -> (leaf: [UInt8], signature: [UInt8], keyId: String) {
        guard let integrity = integrity(of: view) else { throw .malformed }
        let start = integrity.lowerBound + hashesByteCount
        var scanner = AuditScanner(view, from: min(start, integrity.upperBound))
        try scanner.skip(",\"signature\":\"")
        let signature = try scanner.base64(upTo: maximumSignatureCount)
        try scanner.skip("\",\"signatureKeyId\":\"")
        let keyId = try scanner.digits(2 * AuditNote.keyIdByteCount)
        try scanner.skip("\"")
        guard scanner.position == integrity.upperBound else { throw .malformed }
        var leaf = view
        leaf.removeSubrange(start..<integrity.upperBound)
        return (leaf, signature, keyId)
    }

    /// The bytes of `hash` and `prevHash` in `integrity`, before a signature.
    private static let hashesByteCount = "\"hash\":\"\",\"prevHash\":\"\"".utf8.count + 4 * SHA256.byteCount
    /// The most characters of a signature in base64: one in DER has at most 72 bytes.
    private static let maximumSignatureCount = 96

    /// The place of `tsServer` with the comma before it: near the end, behind what a device wrote.
    private static func time(in leaf: [UInt8]) -> Range<Int>? {
        let (name, count) = (Array(",\"tsServer\":\"".utf8), ",\"tsServer\":\"0000-00-00T00:00:00.000Z\"".utf8.count)
        var start = leaf.count - count
        while start >= 0 {
            if leaf[start] == name[0], leaf[start...].starts(with: name) { return start..<start + count }
            start -= 1
        }
        return nil
    }

    /// The places of what stands between the braces of `integrity`; nil where there is no object inside, as in an entry.
    private static func integrity(of leaf: [UInt8]) -> Range<Int>? {
        // It is the first object inside a record, and has none inside.
        guard let start = leaf.dropFirst().firstIndex(of: UInt8(ascii: "{")),
            let end = leaf[start...].firstIndex(of: UInt8(ascii: "}"))
        else { return nil }
        return (start + 1)..<end
    }
}
