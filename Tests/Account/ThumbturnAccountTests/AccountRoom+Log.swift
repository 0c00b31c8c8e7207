import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

extension AccountRoom {
    /// Lets the service keep a log: it tells of it in proved answers, knows the devices that are listed, and takes uploads.
    ///
    /// - Parameter hook: what a test does to the wire before that.
    func keep(_ log: TestLog, _ hook: Wire.Hook? = nil) {
        wire.through { sent, forward throws(TransportFailure) in
            func whole(_ sent: Sent) -> Answer { self.answer(sent, keeping: log, forward) }
            guard let hook else { return whole(sent) }
            return try hook(sent, whole)
        }
    }

    private func answer(_ sent: Sent, keeping log: TestLog, _ forward: (Sent) -> Answer) -> Answer {
        if sent.auditedDevice != nil { return log.answer(sent) }
        let answer = forward(sent)
        if sent.path == "/v1/devices", answer.status == 201, let id = sent.json["deviceId"]?.text,
            let device = Identifier(text: id),
            let key = sent.json["publicKey"]?.text.flatMap({ TextCode.base64.decode(Array($0.utf8)) })
        {
            log.enrol(device, key)
        }
        if sent.method == .delete, sent.path == "/v1/account", answer.status == 204 { log.close() }
        guard sent.method == .get, sent.path == "/v1/account", answer.status == 200, let token = sent.token,
            let audit = try? log.audit
        else { return answer }
        return proved(answer, saying: ["audit": audit.json], to: sent, in: token)
    }
}

extension Sent {
    /// The device whose events are sent; `nil` for another call.
    var auditedDevice: Identifier? {
        let words = path.split(separator: "/")
        guard method == .post, words.count == 4, words[0] == "v1", words[1] == "audit",
            words[3] == "events" || words[3].hasPrefix("events?since=")
        else { return nil }
        return Identifier(text: String(words[2]))
    }

    /// What an upload is signed for; `nil` for another call.
    var upload: AuditUpload? {
        fields["Thumbturn-Upload"].flatMap { TextCode.base64.decode(Array($0.utf8)) }
            .flatMap { try? AuditUpload(reading: $0) }
    }
}

extension TestLog {
    fileprivate func answer(_ sent: Sent) -> Answer {
        guard sent.contentType == "application/x-ndjson", sent.token == nil else { return .problem(422, "FORM") }
        let reply = receive(sent.path, sent.fields, sent.body)
        return Answer(status: reply.status, body: reply.body)
    }
}
