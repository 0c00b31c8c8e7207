import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

// Devices.
extension API {
    static let deviceEndpoints = [enrol, revoke, contact]

    private static let id = Operation.Parameter("id", in: .path, "The device.", schema: hexadecimal32)

    private static let enrol = Endpoint(
        method: .post,
        pattern: "/v1/devices",
        name: "enrolDevice",
        summary: "Lists a device of the account; each login of a device does so. The same once more is answered alike.",
        content: .json(
            required: [Member.deviceID.described, Member.publicKey.described, Member.algorithm.described],
            optional: [Member.deviceName.described]
        ),
        needsToken: true,
        answer: Operation.Answer(201, "It is listed.", schema: device),
        problems: [.loginOld, .deviceTaken, .deviceLimit]
    ) { exchange throws(Problem) in
        let listed = try exchange.accounts.enrol(exchange.caller, in: exchange.store) { () throws(Problem) in
            let form = try exchange.form()
            _ = try form(.algorithm) as String
            let key: [UInt8] = try form(.publicKey)
            guard DeviceKey.isKey(key) else { throw .form(Member.publicKey.name) }
            return Enrolment(id: try form(.deviceID), publicKey: key, name: (try form.optional(.deviceName))?.text)
        }
        return .now(try exchange.proving(.answer(listed.device.members, status: 201), to: listed.session))
    }

    private static let revoke = Endpoint(
        method: .delete,
        pattern: "/v1/devices/{id}",
        name: "revokeDevice",
        summary: "Revokes a device of the account.",
        parameters: [id],
        needsToken: true,
        answer: Operation.Answer(204, "It is revoked."),
        problems: [.loginOld, .notListed]
    ) { exchange throws(Problem) in
        let session = try exchange.accounts.revoke(exchange.caller, in: exchange.store) { () throws(Problem) in
            try exchange.identifier("id")
        }
        return .now(try exchange.proving(.nothing, to: session))
    }

    private static let contact = Endpoint(
        method: .post,
        pattern: "/v1/devices/{id}/contact",
        name: "contact",
        summary: "Tells a device the epoch of its account. The device signs; there is no token.",
        parameters: [id],
        content: .json(required: [Member.nonce.described, Member.sentAt.described, Member.signature.described]),
        answer: contactAnswer,
        problems: [.deviceUnknown, .signature, .deviceRevoked, .nonce],
        provedProblem: .deviceRevoked
    ) { exchange throws(Problem) in
        let form = try exchange.form()
        let contact = try Contact(exchange.identifier("id"), form, origin: exchange.worker.service.configuration.origin)
        let (answer, key) = try exchange.accounts.contact(contact, exchange.caller, in: exchange.store)
        exchange.isAbout(answer.userID)
        var response = answer.isRevoked ? exchange.worker.refusing(Problem(.deviceRevoked)) : exchange.telling(answer)
        let proof = ContactProof.make(
            nonce: contact.nonce,
            status: response.status,
            body: response.body,
            key: key.bytes
        )
        response.headers.append((ContactProof.field, proof.base64))
        return .now(response)
    }

    private static var contactAnswer: Operation.Answer {
        var answer = Operation.Answer(
            200,
            "What the device has to know.",
            schema: object([("policyEpoch", epoch), ("passwordChangedAt", time), ("serverTime", time)])
        )
        answer.fields = [
            (
                ContactProof.field,
                "HMAC-SHA256 over nonce and answer, under a key of the device's last login.",
                ["type": "string", "pattern": "^[A-Za-z0-9+/]{43}=$"]
            )
        ]
        return answer
    }
}

extension Exchange {
    fileprivate func telling(_ answer: ContactAnswer) -> HTTPResponse {
        .answer([
            ("policyEpoch", .integer(answer.epoch)), ("passwordChangedAt", .string(answer.passwordChangedAt.text)),
            ("serverTime", .string(caller.now.text)),
        ])
    }
}

extension Device {
    /// The device as its account's owner sees it.
    var members: [(String, JSON)] {
        [
            ("deviceId", .string(id.text)), ("algorithm", .string(DeviceKey.algorithm)),
            ("createdAt", .string(createdAt.text)),
        ] + (name.map { [("name", JSON.string($0))] } ?? [])
    }
}

extension Contact {
    /// The device signs `thumbturn.contact.v1`, a newline, and the members in canonical JSON (RFC 8785), including the
    /// origin: a signature for one service is worthless at another.
    fileprivate init(_ id: Identifier, _ form: Form, origin: String) throws(Problem) {
        let (nonce, sentAt) = (try form(.nonce) as [UInt8], try form(.sentAt) as ServiceTime)
        let signed: JSON = [
            "deviceId": .string(id.text), "nonce": .string(nonce.base64), "origin": .string(origin),
            "sentAt": .string(sentAt.text),
        ]
        let body: [UInt8]
        do throws(JSONError.Kind) { body = try signed.canonical() } catch { throw Problem(.form) }
        self.init(
            id: id,
            nonce: nonce,
            signature: try form(.signature),
            message: Array("thumbturn.contact.v1\n".utf8) + body
        )
    }
}
