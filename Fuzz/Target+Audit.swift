import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

extension Target {
    static var audit: [Target] {
        [
            Target(name: "audit-record") { _ in
                let samples = try records(8, seed: 1).map(\.line)
                return (
                    samples,
                    { bytes in
                        // With a hash that fits, so that the form is what refuses it.
                        let record = try AuditRecord(reading: rehashed(bytes))
                        guard try again(record) == record else { return reportBug("a record with two forms") }
                        guard bytes == record.line || (try? AuditRecord(reading: bytes)) == nil else {
                            return reportBug("a record that was changed and still fits its hash")
                        }
                    }
                )
            },
            Target(name: "audit-export") { _ in
                let samples = try (1...3).map { try export(of: records(2 * $0, seed: UInt64($0))) }
                return (
                    samples,
                    { bytes in
                        let whole = verdict(on: bytes, inPiecesOf: bytes.count)
                        guard whole == verdict(on: bytes, inPiecesOf: 7), whole == verdict(on: bytes, inPiecesOf: 64)
                        else {
                            return reportBug("an export that is another when it comes in other pieces")
                        }
                        _ = try whole.get()
                        guard samples.contains(bytes) else { return reportBug("an export that was never signed") }
                    }
                )
            },
        ]
    }

    static func key() throws -> P256PrivateKey {
        try P256PrivateKey(scalar: SecretBytes(exposed: [UInt8](repeating: 1, count: 32)))
    }

    /// The same record, made of what was read.
    private static func again(_ record: AuditRecord) throws -> AuditRecord {
        try AuditRecord(
            eventId: record.eventId,
            kind: record.kind,
            userId: record.userId,
            deviceId: record.deviceId,
            at: record.at,
            epoch: record.epoch,
            seq: record.seq,
            payload: record.payload,
            previous: record.previous
        )
    }

    /// The bytes with the hash of the rest in its place, where that is still there.
    private static func rehashed(_ bytes: [UInt8]) -> [UInt8] {
        let mark = Array(#""integrity":{"#.utf8)
        let (before, hash) = (Array(#""hash":""#.utf8), 2 * SHA256.byteCount)
        guard let found = bytes.indices.first(where: { bytes[$0...].starts(with: mark) }) else { return bytes }
        let start = found + mark.count
        let end = start + before.count + hash + 2
        guard end <= bytes.count, bytes[start...].starts(with: before) else { return bytes }
        let digest = SHA256.digest(Array("thumbturn.audit.event.v1\n".utf8), Array(bytes[..<start] + bytes[end...]))
        let text = TextCode.hexadecimal.encode(digest)
        return bytes[..<(start + before.count)] + text + bytes[(end - 2)...]
    }

    private static func export(of records: [AuditRecord]) throws -> [UInt8] {
        let key = try key()
        var export = try AuditExport(
            deviceId: records[0].deviceId,
            epoch: records[0].epoch,
            publicKey: key.publicKey,
            count: UInt64(records.count)
        )
        var bytes = try export.beginning()
        for record in records { bytes += try export.line(of: record) }
        let head = try export.head(at: records[0].at, nonce: [UInt8](repeating: 9, count: AuditHead.nonceByteCount))
        return bytes + (try export.end(head, signature: key.sign(head.message())))
    }

    private static func verdict(on bytes: [UInt8], inPiecesOf size: Int) -> Result<AuditSummary, AuditFinding> {
        var start = 0
        return AuditVerifier.verify { () -> [UInt8]? in
            guard start < bytes.count else { return nil }
            defer { start += size }
            return Array(bytes[start...].prefix(size))
        }
    }

    /// Records of every sort in one chain.
    static func records(_ count: Int, seed: UInt64) throws -> [AuditRecord] {
        var chain = AuditChain(
            deviceId: Identifier(high: 1, low: 2),
            epoch: Identifier(high: 3, low: seed),
            publicKey: try key().publicKey
        )
        return try (0..<count).map { number in
            let at = Milliseconds(1_771_072_496_123 + Int64(number))
            let former = AuditPayload.Former(
                epoch: Identifier(high: 5, low: 6),
                last: AuditPayload.Former.Last(seq: 7, hash: SHA256.digest([]))
            )
            let record = try AuditRecord(
                eventId: Identifier(uuid7At: at, random: Identifier(high: seed, low: UInt64(number))),
                kind: AuditEventKind.allCases[number % AuditEventKind.allCases.count],
                userId: number % 2 == 0 ? nil : "user",
                deviceId: chain.deviceId,
                at: at,
                epoch: chain.epoch,
                seq: chain.next,
                payload: AuditPayload(
                    biometryType: number % 3 == 0 ? nil : .faceID,
                    attemptCount: UInt32(number),
                    unlockDuration: number % 3 == 1 ? Milliseconds(420) : nil,
                    reason: number % 2 == 0 ? "owner" : nil,
                    run: number % 4 == 1 ? AuditPayload.Run(count: 2, until: at) : nil,
                    former: number == 0 ? former : nil
                ),
                previous: chain.head
            )
            try chain.take(record)
            return record
        }
    }
}
