import ThumbturnCrypto
import ThumbturnJSON
package import ThumbturnRules

/// What a device signs with an upload of records: the chain's part that they are, and the head that it reaches.
package struct AuditUpload: Equatable, Sendable {
    /// The most records of an upload.
    package static let maximumRecords = 256
    /// The most bytes of an upload's body.
    package static let maximumByteCount = 1_310_720
    /// The length of `nonce`.
    package static let nonceByteCount = 16

    /// The device.
    package let deviceId: Identifier
    /// The chain.
    package let epoch: Identifier
    /// The first record's place.
    package let firstSeq: UInt64
    /// The last record's place, from `firstSeq` on.
    package let lastSeq: UInt64
    /// The last record's hash, 32 bytes.
    package let headHash: [UInt8]
    /// When it was sent, by the device's clock.
    package let sentAt: Milliseconds
    /// 16 random bytes.
    package let nonce: [UInt8]

    /// JCS{deviceId, epoch, firstSeq, headHash, lastSeq, nonce, sentAt}: what the request's header holds.
    package let header: [UInt8]

    /// Makes an upload's header, and reads it back.
    ///
    /// The time is clamped to years of four digits.
    ///
    /// - Throws: `.malformed` for values that have no form.
    package init(
        deviceId: Identifier,
        epoch: Identifier,
        firstSeq: UInt64,
        lastSeq: UInt64,
        headHash: [UInt8],
        sentAt: Milliseconds,
        nonce: [UInt8]
    ) throws(AuditError) {
        let members = Self.members(deviceId, epoch, firstSeq...max(firstSeq, lastSeq), headHash, sentAt, nonce)
        guard firstSeq <= lastSeq else { throw .malformed }
        try self.init(reading: JSON.object(members).canonicalBytes())
    }

    /// Reads a header strictly: it is accepted if writing what was read gives the same bytes.
    ///
    /// How many records there may be is for the caller to check, who knows another answer to that.
    ///
    /// - Throws: `.malformed`.
    package init(reading header: [UInt8]) throws(AuditError) {
        var scanner = AuditScanner(header)
        try scanner.skip("{\"deviceId\":\"")
        deviceId = try scanner.identifier()
        try scanner.skip("\",\"epoch\":\"")
        epoch = try scanner.identifier()
        try scanner.skip("\",\"firstSeq\":")
        firstSeq = try scanner.number()
        try scanner.skip(",\"headHash\":\"")
        headHash = try scanner.digest()
        try scanner.skip("\",\"lastSeq\":")
        lastSeq = try scanner.number()
        try scanner.skip(",\"nonce\":\"")
        nonce = try scanner.base64(upTo: TextCode.base64.characterCount(of: Self.nonceByteCount))
        try scanner.skip("\",\"sentAt\":\"")
        sentAt = try scanner.time()
        try scanner.skip("\"}")
        self.header = header
        guard scanner.isAtEnd, firstSeq <= lastSeq, nonce.count == Self.nonceByteCount else { throw .malformed }
    }

    /// How many records the upload says that it has.
    package var count: UInt64 { lastSeq - firstSeq + 1 }

    /// What the device signs: `thumbturn.audit.upload.v1\n` ‖ JCS{the same members, origin}.
    ///
    /// - Parameter origin: the log's.
    package func message(origin: String) -> [UInt8] {
        // `origin` stands between `nonce` and `sentAt`, the last.
        let end = header.count - Self.lastMember.utf8.count
        return Self.label + header[..<end] + Self.beforeOrigin + JSON.string(origin).canonicalTexts()
            + [UInt8(ascii: ",")] + header[end...]
    }

    private static let label = Array("thumbturn.audit.upload.v1\n".utf8)
    private static let beforeOrigin = Array("\"origin\":".utf8)
    private static let lastMember = "\"sentAt\":\"0000-00-00T00:00:00.000Z\"}"

    private static func members(
        _ deviceId: Identifier,
        _ epoch: Identifier,
        _ seqs: ClosedRange<UInt64>,
        _ headHash: [UInt8],
        _ sentAt: Milliseconds,
        _ nonce: [UInt8]
    ) -> [(String, JSON)] {
        [
            ("deviceId", .string(deviceId.text)), ("epoch", .string(epoch.text)),
            ("firstSeq", .number(seqs.lowerBound)), ("headHash", .hexadecimal(headHash)),
            ("lastSeq", .number(seqs.upperBound)), ("nonce", .base64(nonce)), ("sentAt", .string(sentAt.utcText)),
        ]
    }
}
