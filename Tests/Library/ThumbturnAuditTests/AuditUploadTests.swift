import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAudit

@Suite struct AuditUploadTests {
    private static func upload(
        _ firstSeq: UInt64 = 2,
        _ lastSeq: UInt64 = 5,
        headHash: [UInt8] = SHA256.digest([5]),
        sentAt: Milliseconds = TestTrail.start,
        nonce: [UInt8] = [UInt8](repeating: 0x5A, count: 16)
    ) throws(AuditError) -> AuditUpload {
        try AuditUpload(
            deviceId: TestTrail.device,
            epoch: Identifier(high: 7, low: 7),
            firstSeq: firstSeq,
            lastSeq: lastSeq,
            headHash: headHash,
            sentAt: sentAt,
            nonce: nonce
        )
    }

    @Test(.holds("F-107-10")) func `header and signed bytes are as they are written down`() throws {
        let upload = try Self.upload()
        let hash = SHA256.digest([5]).hexadecimal
        let beginning = """
            {"deviceId":"0123456789abcdef0123456789abcdef","epoch":"00000000000000070000000000000007","firstSeq":2,\
            "headHash":"\(hash)","lastSeq":5,"nonce":"WlpaWlpaWlpaWlpaWlpaWg==",
            """
        #expect(upload.header.text == beginning + #""sentAt":"2026-02-14T12:34:56.123Z"}"#)
        #expect(
            upload.message(origin: "https://id.example.com/r1/3").text == "thumbturn.audit.upload.v1\n" + beginning
                + #""origin":"https://id.example.com/r1/3","sentAt":"2026-02-14T12:34:56.123Z"}"#
        )
        #expect(upload.count == 4 && AuditUpload.maximumRecords == 256)
        #expect(AuditUpload.maximumByteCount == 5 * 256 * 1_024)
    }

    @Test func `a header is read as it was written`() throws {
        for upload in try [
            Self.upload(), Self.upload(0, 0), Self.upload(1 << 53 - 1, 1 << 53 - 1), Self.upload(0, 1_000_000),
            Self.upload(sentAt: Milliseconds(.min)), Self.upload(sentAt: Milliseconds(.max)),
        ] {
            #expect(try AuditUpload(reading: upload.header) == upload)
        }
        #expect(try Self.upload(sentAt: Milliseconds(.max)).sentAt.utcText == "9999-12-31T23:59:59.999Z")
    }

    @Test func `what has no form is no upload`() {
        #expect(throws: AuditError.malformed) { try Self.upload(3, 2) }
        #expect(throws: AuditError.malformed) { try Self.upload(0, 1 << 53) }
        #expect(throws: AuditError.malformed) { try Self.upload(0, .max) }
        #expect(throws: AuditError.malformed) { try Self.upload(headHash: [1]) }
        #expect(throws: AuditError.malformed) { try Self.upload(nonce: [UInt8](repeating: 1, count: 15)) }
        #expect(throws: AuditError.malformed) { try Self.upload(nonce: [UInt8](repeating: 1, count: 17)) }
    }

    @Test(.holds("A45")) func `each changed byte of a header is refused, or signed otherwise`() throws {
        let upload = try Self.upload()
        for changed in upload.header.mutations() where changed != upload.header {
            guard let read = try? AuditUpload(reading: changed) else { continue }
            #expect(read != upload && read.header == changed)
            #expect(read.message(origin: "o") != upload.message(origin: "o"))
        }
    }

    @Test(arguments: [
        (#""firstSeq":2"#, #""firstSeq":6"#), (#""firstSeq":2"#, #""firstSeq":02"#),
        (#""firstSeq":2"#, #""firstSeq":2.0"#),
        (#""firstSeq":2"#, #""firstSeq":-2"#), (#""firstSeq":2"#, #""firstSeq":"2""#), (#""firstSeq":2,"#, ""),
        (#""epoch":"0"#, #""epoch":"A"#), (#""sentAt":"2026-02-14T12:34:56.123Z""#, #""sentAt":1771072496123"#),
        (#""nonce":"WlpaWlpaWlpaWlpaWlpaWg==""#, #""nonce":"""#), (#""lastSeq":5"#, #""lastSeq": 5"#),
        (#""lastSeq":5"#, #""lastSeq":9007199254740992"#), (#"{"deviceId""#, #"{"a":1,"deviceId""#),
        (#""headHash""#, #""headHasH""#), (#"3Z"}"#, #"3Z"}x"#), (#"3Z"}"#, #"3Z","v":1}"#),
        (#"3Z"}"#, #"3Z","v":null}"#),
        (#"{"deviceId""#, #"[{"deviceId""#),
    ])
    func `another form is no header`(text: String, other: String) throws {
        let header = try Self.upload().header.replacing(text, with: other)
        #expect(throws: AuditError.malformed) { try AuditUpload(reading: header) }
    }
}
