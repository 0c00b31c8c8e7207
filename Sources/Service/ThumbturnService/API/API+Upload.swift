import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

// What devices send to the ledger.
extension API {
    static let uploadEndpoints = [upload]

    private static let upload = Endpoint(
        method: .post,
        pattern: "/v1/audit/{deviceId}/events",
        name: "uploadAuditRecords",
        summary: """
            Takes records of a device's trail into the account's log. The device signs; there is no token. The same records \
            once more are answered alike.
            """,
        parameters: [
            Operation.Parameter("deviceId", in: .path, "The device.", schema: hexadecimal32),
            Operation.Parameter(
                "since",
                in: .query,
                "The size of the signed head that the device keeps; asks for consistency.",
                schema: ["type": "integer", "minimum": .integer(0)],
                isRequired: false
            ),
            header("Idempotency-Key", "The SHA-256 of the content, in hexadecimal."),
            header(
                "Thumbturn-Upload",
                "Base64 of canonical JSON: deviceId, epoch, firstSeq, headHash, lastSeq, nonce, sentAt."
            ),
            header(
                "Thumbturn-Signature",
                "The device's, over `thumbturn.audit.upload.v1`, a newline, and these with origin."
            ),
        ],
        content: .lines(
            maximum: AuditUpload.maximumByteCount,
            ofLine: ["type": "object", "description": "A record in canonical JSON; 1 to 256 of them."]
        ),
        answer: Operation.Answer(200, "They are stored, and proved under a signed head.", schema: receipt),
        furtherAnswers: [
            Operation.Answer(202, "They are stored; the same once more gives the receipt.", schema: ["type": "object"])
        ],
        problems: [
            .record, .records, .foreign, .chain, .signedOther, .idempotency, .deviceUnknown, .signature, .nonce, .gap,
            .fork,
            .origin, .quota,
        ]
    ) { exchange throws(Problem) in
        let ledger = try exchange.ledger()
        let incoming = try exchange.upload(for: ledger)
        return .later { reply in ledger.take(incoming, reply: reply) }
    }

    private static func header(_ name: String, _ summary: String) -> Operation.Parameter {
        Operation.Parameter(name, in: .header, summary, schema: ["type": "string"])
    }

    private static let receipt = object(
        [
            ("v", ["type": "integer"]), ("origin", origin), ("deviceId", hexadecimal32), ("epoch", hexadecimal32),
            ("firstSeq", ["type": "integer"]), ("lastSeq", ["type": "integer"]), ("headHash", Endpoint.hexadecimal64),
            ("firstIndex", ["type": "integer"]), ("lastIndex", ["type": "integer"]), ("tsServer", time),
            ("proof", ["type": "array", "items": Endpoint.hexadecimal64]), ("checkpoint", ["type": "string"]),
        ],
        optional: [("consistency", ["type": "array", "items": Endpoint.hexadecimal64])]
    )
}

extension Exchange {
    /// The service's ledger, which every service has that serves.
    func ledger() throws(Problem) -> AuditLedger {
        guard let ledger = worker.service.ledger else { throw .wait(.seconds(2), .storeUnavailable) }
        return ledger
    }

    /// What the token's account is told of its log, where this instance could read it.
    func logMembers(of user: Identifier) -> [(String, JSON)] {
        worker.service.ledger?.keys(of: user).map { [("audit", $0.json)] } ?? []
    }

    /// Reads an upload, and checks all that needs no log.
    fileprivate func upload(for ledger: AuditLedger) throws(Problem) -> IncomingUpload {
        let device = try identifier("deviceId")
        let signed = try signedUpload()
        guard signed.upload.deviceId == device else { throw .form("Thumbturn-Upload") }
        guard request.headers["idempotency-key"] == SHA256.digest(request.body).hexadecimal else {
            throw Problem(.idempotency)
        }
        let since = try query("since").map { text throws(Problem) in
            guard let since = UInt64(text), since <= JSON.wholeNumbers.upperBound, String(since) == text else {
                throw .form("since")
            }
            return since
        }
        // A revoked device still delivers: what was tried on it is what its owner wants to see.
        let listed = try store.looking { tables throws(Problem) in try tables.device(device) }
        guard let listed else { throw Problem(.deviceUnknown) }
        isAbout(listed.userID)
        try check(signed, by: listed, ledger)
        guard ledger.isNew(signed.upload.nonce, of: device) else { throw Problem(.nonce) }
        return IncomingUpload(
            upload: signed.upload,
            signature: signed.signature,
            records: try records(of: signed.upload, by: listed, ledger),
            user: listed.userID,
            publicKey: listed.publicKey,
            since: since
        )
    }

    private func signedUpload() throws(Problem) -> (upload: AuditUpload, signature: [UInt8]) {
        guard let header = base64("thumbturn-upload"), let upload = try? AuditUpload(reading: header) else {
            throw .form("Thumbturn-Upload")
        }
        guard let signature = base64("thumbturn-signature"), DeviceKey.signatureByteCounts.contains(signature.count)
        else {
            throw .form("Thumbturn-Signature")
        }
        return (upload, signature)
    }

    private func base64(_ header: String) -> [UInt8]? {
        request.headers[header].flatMap { TextCode.base64.decode(Array($0.utf8)) }
    }

    private func check(
        _ signed: (upload: AuditUpload, signature: [UInt8]),
        by device: Device,
        _ ledger: AuditLedger
    ) throws(Problem) {
        func isSigned(for origin: String) -> Bool {
            let message = signed.upload.message(origin: origin)
            return (try? P256.verify(signature: signed.signature, of: message, publicKey: device.publicKey)) != nil
        }
        guard !isSigned(for: ledger.origin(of: device.userID)) else { return }
        let isFormer = ledger.formerOrigins(of: device.userID).suffix(4).contains(where: isSigned)
        throw Problem(isFormer ? .origin : .signature)
    }

    /// Reads the records; that they were refused is entered into the log, so nothing is lost unseen.
    private func records(of upload: AuditUpload, by device: Device, _ ledger: AuditLedger) throws(Problem)
        -> [AuditRecord]
    {
        do throws(IncomingUpload.Refusal) {
            return try IncomingUpload.records(
                request.body,
                of: upload,
                user: device.userID,
                publicKey: device.publicKey
            )
        } catch {
            let problem = Problem(error)
            let entry = LedgerEntry.rejected(
                device: device.id,
                user: device.userID,
                bodySha256: SHA256.digest(request.body),
                code: problem.code.text
            )
            ledger.take(
                LedgerWork.Rejection(chain: Chain.Name(device: device.id, epoch: upload.epoch), entry: entry),
                of: device.userID
            )
            throw problem
        }
    }
}

extension Problem {
    fileprivate init(_ refusal: IncomingUpload.Refusal) {
        switch refusal {
        case .tooLarge: self.init(.records)
        case .malformed(let line): self = .line(line, .record)
        case .foreign(let line): self = .line(line, .foreign)
        case .unchained(let line): self = .line(line, .chain)
        case .otherThanSigned: self.init(.signedOther)
        }
    }
}
