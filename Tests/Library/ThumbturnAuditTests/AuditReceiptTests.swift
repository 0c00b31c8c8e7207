import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct AuditReceiptTests {
    /// A device's trail, whose records 2 to 5 lie at 9 to 12 of a log.
    private struct Case {
        let trail: TestTrail
        let log: TestLog
        let upload: AuditUpload

        init(_ seqs: ClosedRange<Int> = 2...5) throws {
            trail = try TestTrail(count: 6)
            upload = try trail.upload(seqs)
            var log = TestLog()
            log.fill(to: 9)
            for record in trail.records[seqs] { log.append(AuditLeaf.record(record, at: TestLog.time)) }
            self.log = log
        }

        var last: AuditRecord { trail.records[Int(upload.lastSeq)] }

        func refusal(
            _ receipt: AuditReceipt,
            upload: AuditUpload? = nil,
            last: AuditRecord? = nil,
            keys: [AuditKey]? = nil,
            origin: String = TestLog.origin,
            since former: AuditCheckpoint? = nil
        ) throws -> AuditReceiptError? {
            let keys = try keys ?? [log.key.key]
            do throws(AuditReceiptError) {
                let note = try receipt.verify(
                    upload ?? self.upload,
                    last: last ?? self.last,
                    under: keys,
                    origin: origin,
                    since: former
                )
                #expect(note == receipt.note)
                return nil
            } catch { return error }
        }

        /// The receipt with other parts.
        func receipt(
            of upload: AuditUpload? = nil,
            firstIndex: UInt64 = 9,
            lastIndex: UInt64 = 12,
            tsServer: Milliseconds = TestLog.time,
            proof: [[UInt8]]? = nil,
            note: AuditNote? = nil,
            consistency: [[UInt8]]? = nil
        ) throws -> AuditReceipt {
            AuditReceipt(
                of: upload ?? self.upload,
                firstIndex: firstIndex,
                lastIndex: lastIndex,
                tsServer: tsServer,
                proof: try proof ?? log.prover(size: log.edge.size).inclusion(of: 12),
                note: try note ?? log.note(),
                consistency: consistency
            )
        }
    }

    @Test(.holds("A45", "INV-107-10")) func `a receipt is read as it was written, and holds`() throws {
        let made = try Case()
        for receipt in try [made.log.receipt(of: made.upload), made.log.receipt(of: made.upload, since: 6)] {
            #expect(try AuditReceipt(reading: receipt.json) == receipt)
            #expect(receipt.origin == TestLog.origin && receipt.firstIndex == 9 && receipt.lastIndex == 12)
            #expect(try made.refusal(receipt) == nil)
            #expect(receipt.json.count < 2_048)
        }
        let former = try made.log.checkpoint(size: 6)
        #expect(try made.refusal(made.log.receipt(of: made.upload, since: 6), since: former) == nil)
    }

    @Test func `a receipt is as it is written down`() throws {
        let made = try Case(2...2)
        let receipt = try made.log.receipt(of: made.upload, since: 9)
        func list(_ hashes: [[UInt8]]) -> String { hashes.map { "\"\($0.hexadecimal)\"" }.joined(separator: ",") }
        let note = receipt.note.text.text.split(separator: "\n", omittingEmptySubsequences: false).joined(
            separator: "\\n"
        )
        let expected = """
            {"checkpoint":"\(note)","consistency":[\(list(receipt.consistency ?? []))],\
            "deviceId":"0123456789abcdef0123456789abcdef","epoch":"00000000000000070000000000000007",\
            "firstIndex":9,"firstSeq":2,\
            "headHash":"\(made.last.hash.hexadecimal)","lastIndex":9,"lastSeq":2,"origin":"https://id.example.com/3",\
            "proof":[\(list(receipt.proof))],"tsServer":"2026-02-14T12:35:00.000Z","v":1}
            """
        #expect(receipt.json.text == expected)
        #expect(receipt.proof.count == 2 && receipt.consistency?.count == 3)
    }

    @Test(.holds("A45")) func `a receipt of another upload, record or log is wrong`() throws {
        let (made, other) = (try Case(), try Case(2...4))
        let receipt = try made.log.receipt(of: made.upload)
        #expect(try made.refusal(receipt, upload: other.upload) == .wrong)
        #expect(try made.refusal(receipt, upload: made.trail.upload(1...5)) == .wrong)
        #expect(try made.refusal(receipt, last: made.trail.records[4]) == .wrong)
        #expect(try made.refusal(receipt, origin: "https://id.example.com/r1/3") == .wrong)
        #expect(try made.refusal(receipt, origin: "https://id.example.com") == .wrong)
        let stranger = try TestTrail(count: 6, epoch: 8)
        #expect(try made.refusal(receipt, upload: stranger.upload(2...5), last: stranger.records[5]) == .wrong)
        #expect(try made.refusal(receipt, last: stranger.records[5]) == .wrong)
        let elsewhere = try made.log.checkpoint(size: 6, origin: "o")
        #expect(try made.refusal(made.log.receipt(of: made.upload, since: 6), since: elsewhere) == .wrong)
    }

    @Test(.holds("A45")) func `a head that no trusted key signed acknowledges nothing`() throws {
        let made = try Case()
        let (receipt, stranger) = (try made.log.receipt(of: made.upload), TestLogKey(scalar: 2))
        #expect(try made.refusal(receipt, keys: []) == .unsigned)
        #expect(try made.refusal(receipt, keys: [stranger.key]) == .unsigned)
        #expect(try made.refusal(receipt, keys: [stranger.key, made.log.key.key]) == nil)
        let checkpoint = try made.log.checkpoint()
        let forged = try AuditNote(checkpoint, signatures: [stranger.line(over: checkpoint)])
        #expect(try made.refusal(made.receipt(note: forged)) == .unsigned)
        // The line for witnesses alone is none that a device asks for.
        let key = try Ed25519PrivateKey(seed: SecretBytes(of: TestTrail.scalar(7)))
        let witness = try AuditNote.Signature(
            name: TestLog.origin,
            keyId: AuditKey.witnessKeyId(name: TestLog.origin, publicKey: key.publicKey),
            bytes: key.sign(checkpoint.text)
        )
        #expect(try made.refusal(made.receipt(note: AuditNote(checkpoint, signatures: [witness]))) == .unsigned)
        let both = try AuditNote(checkpoint, signatures: [witness, made.log.key.line(over: checkpoint)])
        #expect(try made.refusal(made.receipt(note: both)) == nil)
    }

    @Test(.holds("A45")) func `a proof of another record, time, place or tree is wrong`() throws {
        let made = try Case()
        let prover = made.log.prover(size: 13)
        let proof = try prover.inclusion(of: 12)
        #expect(try made.refusal(made.receipt()) == nil)
        #expect(try made.refusal(made.receipt(tsServer: TestLog.time + Milliseconds(1))) == .wrong)
        #expect(try made.refusal(made.receipt(lastIndex: 11, proof: prover.inclusion(of: 11))) == .wrong)
        #expect(try made.refusal(made.receipt(lastIndex: 11)) == .wrong)
        #expect(try made.refusal(made.receipt(lastIndex: 13)) == .wrong)
        #expect(try made.refusal(made.receipt(proof: [])) == .wrong)
        #expect(try made.refusal(made.receipt(proof: Array(proof.dropLast()))) == .wrong)
        #expect(try made.refusal(made.receipt(proof: proof + [proof[0]])) == .wrong)
        #expect(try made.refusal(made.receipt(note: made.log.note(size: 12))) == .wrong, "it is not in that tree yet")
        var longer = made.log
        longer.fill(to: 14)
        #expect(try made.refusal(made.receipt(note: longer.note())) == .wrong, "a proof of another tree's size")
    }

    @Test(.holds("A45")) func `a head that does not continue the one that was kept shows a log with two faces`() throws
    {
        let made = try Case()
        // The same service showed another log to this device before.
        var other = TestLog()
        other.append([1])
        other.fill(to: 20)
        for size in [1, 6, 8, 12] as [UInt64] {
            let receipt = try made.log.receipt(of: made.upload, since: size)
            #expect(try made.refusal(receipt, since: made.log.checkpoint(size: size)) == nil)
            #expect(try made.refusal(receipt, since: other.checkpoint(size: size)) == .inconsistent)
            #expect(
                try made.refusal(made.receipt(), since: made.log.checkpoint(size: size)) == .inconsistent,
                "no proof"
            )
            let wrong = try other.prover(size: 13).consistency(from: size)
            #expect(
                try made.refusal(made.receipt(consistency: wrong), since: made.log.checkpoint(size: size))
                    == .inconsistent
            )
        }
        let same = try made.log.checkpoint()
        #expect(
            try made.refusal(made.receipt(), since: same) == nil
                && made.refusal(made.receipt(consistency: []), since: same) == nil
        )
        #expect(try made.refusal(made.receipt(), since: other.checkpoint(size: 13)) == .inconsistent)
        #expect(
            try made.refusal(made.receipt(), since: other.checkpoint(size: 20)) == .inconsistent,
            "it knows less than it did"
        )
        #expect(try made.refusal(made.receipt(), since: made.log.checkpoint(size: 0)) == nil)
    }

    @Test(.holds("A45"), arguments: [2...2, 2...5])
    func `each changed byte of a receipt is refused, but for the first of several places`(seqs: ClosedRange<Int>) throws
    {
        let made = try Case(seqs)
        let (receipt, former) = (try made.log.receipt(of: made.upload, since: 6), try made.log.checkpoint(size: 6))
        #expect(try made.refusal(receipt, since: former) == nil)
        let bytes = receipt.json
        for changed in bytes.mutations(flipping: [1, 2, 0x20]) where changed != bytes {
            guard let read = try? AuditReceipt(reading: changed) else { continue }
            #expect(read != receipt && read.json == changed)
            guard try made.refusal(read, since: former) == nil else { continue }
            #expect(seqs.count > 1 && read.firstIndex != receipt.firstIndex, "\(changed.text)")
        }
    }

    @Test(arguments: [
        (#""firstSeq":2"#, #""firstSeq":6"#), (#""firstIndex":9"#, #""firstIndex":13"#),
        (#""firstIndex":9"#, #""firstIndex":10"#),
        (#""firstIndex":9"#, #""firstIndex":"9""#), (#""v":1"#, #""v":2"#), (#""v":1}"#, #""v":1,"w":1}"#),
        (#","v":1"#, ""),
        (#""proof":["#, #""proof":["",""#), (#""proof":["#, #""proof":[null,"#), (#""proof":["#, #""proof":[["#),
        (#""origin":"https://id.example.com/3""#, #""origin":"https://id.example.com/4""#),
        (#""epoch""#, #"  "epoch""#),
        (#""checkpoint":"https"#, #""checkpoint":"\u0068ttps"#), (#"{"checkpoint":"#, #"{"checkpoint":null,"a":"#),
        (#""consistency":["#, #""consistency":{"a":["#), (#""tsServer":"2026"#, #""tsServer":"-026"#),
    ])
    func `another form is no receipt`(text: String, other: String) throws {
        let made = try Case()
        let bytes = try made.log.receipt(of: made.upload, since: 6).json
        #expect(throws: AuditError.malformed) { try AuditReceipt(reading: bytes.replacing(text, with: other)) }
    }

    @Test func `places of several records may have others between; nothing longer than 32 KiB is read`() throws {
        let made = try Case()
        #expect(try AuditReceipt(reading: made.receipt(firstIndex: 3).json).firstIndex == 3)
        let single = try Case(2...2)
        let receipt = try single.log.receipt(of: single.upload).json
        #expect(throws: AuditError.malformed) {
            try AuditReceipt(reading: receipt.replacing("\"firstIndex\":9", with: "\"firstIndex\":8"))
        }
        let long = try made.receipt(proof: Array(repeating: SHA256.digest([1]), count: 500))
        #expect(throws: AuditError.malformed) { try AuditReceipt(reading: long.json) }
        for junk in ["", "{}", "null", "[", "{\"proof\":[]}"] {
            #expect(throws: AuditError.malformed) { try AuditReceipt(reading: Array(junk.utf8)) }
        }
    }
}
