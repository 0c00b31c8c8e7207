import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

// Logins.
extension API {
    static let loginEndpoints = [beginLogin, proveLogin]

    private static let beginLogin = Endpoint(
        method: .post,
        pattern: "/v1/login",
        name: "beginLogin",
        summary: "Begins a login. A name that nobody has is answered alike.",
        content: .json(required: [Member.account.described, Member.clientValue.described]),
        answer: Operation.Answer(
            200,
            "What the client needs for its proof.",
            schema: object([
                ("handshake", hexadecimal32), ("group", Member.group.schema), ("salt", Member.salt.schema),
                ("B", Member.clientValue.schema), ("kdf", Member.kdf.schema),
            ])
        ),
        problems: [.width, .group, .wait, .loginsFull, .handshakesFull]
    ) { exchange throws(Problem) in
        // Count before reading or computing anything: a refusal costs next to nothing.
        try exchange.worker.service.beginnings.count(exchange.caller, exchange.accounts.limits.logins)
        let form = try exchange.form()
        let name = try form(.account)
        exchange.names(name)
        let challenge = try exchange.accounts.beginLogin(
            name,
            clientValue: try form(.clientValue),
            exchange.caller,
            in: exchange.store
        )
        let members: [(String, JSON)] = [
            ("handshake", .string(challenge.handshake.text)), ("group", .string(challenge.group.rawValue)),
            ("salt", .string(challenge.salt.hexadecimal)), ("B", .string(challenge.serverValue.hexadecimal)),
            ("kdf", challenge.kdf.json),
        ]
        return .now(.answer(members))
    }

    private static let proveLogin = Endpoint(
        method: .post,
        pattern: "/v1/login/{handshake}",
        name: "proveLogin",
        summary: "Ends a login: one proof for each handshake.",
        parameters: [Operation.Parameter("handshake", in: .path, "From the beginning.", schema: hexadecimal32)],
        content: .json(required: [Member.clientProof.described]),
        endsLogin: true,
        answer: Operation.Answer(
            200,
            "The server's proof, and the token.",
            schema: object(
                [
                    ("M2", Endpoint.hexadecimal64), ("token", Endpoint.hexadecimal64), ("expiresAt", time),
                    ("userId", hexadecimal32), ("origin", origin), ("policyEpoch", epoch), ("passwordChangedAt", time),
                ],
                optional: [("keyEnvelope", Member.keyEnvelope.schema)]
            )
        ),
        problems: [.handshake, .login, .wait]
    ) { exchange throws(Problem) in
        let form = try exchange.form()
        let answer = try exchange.accounts.proveLogin(
            try exchange.identifier("handshake"),
            clientProof: try form(.clientProof),
            exchange.caller,
            in: exchange.store
        )
        let envelope = answer.envelope.map { [("keyEnvelope", JSON.string($0.base64))] } ?? []
        let members: [(String, JSON)] =
            [
                ("M2", .string(answer.serverProof.hexadecimal)), ("token", .string(answer.token.text)),
                ("expiresAt", .string(answer.expiresAt.text)), ("userId", .string(answer.userID.text)),
                ("origin", .string(exchange.worker.service.configuration.origin)),
                ("policyEpoch", .integer(answer.epoch)),
                ("passwordChangedAt", .string(answer.passwordChangedAt.text)),
            ] + envelope
        return .now(exchange.proving(.answer(members), to: answer.userID, by: answer.sessionKey.bytes))
    }
}

extension KDFChoice {
    /// The choice as JSON for a body.
    fileprivate var json: JSON {
        [
            "name": .string(Self.name), "memoryKiB": .integer(memoryKiB), "passes": .integer(passes),
            "lanes": .integer(1),
        ]
    }
}
