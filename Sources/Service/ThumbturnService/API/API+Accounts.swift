import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON
import ThumbturnRules

// Accounts.
extension API {
    static let accountEndpoints = [register, readAccount, changePassword, changeEnvelope, closeAccount]

    static let registerName = "register"

    private static let register = Endpoint(
        method: .post,
        pattern: "/v1/accounts",
        name: registerName,
        summary: "Registers an account.",
        content: .json(required: [Member.account.described] + credentials, optional: [Member.keyEnvelope.described]),
        answer: Operation.Answer(201, "It is registered.", schema: object([("account", Member.account.schema)])),
        problems: [.registrationClosed, .width, .accountTaken, .wait, .accountsFull]
    ) { exchange throws(Problem) in
        // Check before reading the form: a closed service says so for any request.
        guard exchange.worker.service.configuration.isRegistrationOpen else { throw Problem(.registrationClosed) }
        let form = try exchange.form()
        let name = try form(.account)
        exchange.names(name)
        let registration = Registration(name: name, credentials: try Credentials(form))
        try exchange.accounts.register(registration, exchange.caller, in: exchange.store)
        return .now(.answer([("account", .string(name.text))], status: 201))
    }

    private static let readAccount = Endpoint(
        method: .get,
        pattern: "/v1/account",
        name: "readAccount",
        summary: "Tells what is known of the token's account.",
        needsToken: true,
        answer: Operation.Answer(
            200,
            "The account.",
            schema: object(
                [
                    ("account", Member.account.schema), ("userId", hexadecimal32), ("policyEpoch", epoch),
                    ("passwordChangedAt", time), ("devices", ["type": "array", "items": device]),
                ],
                optional: [("audit", ["type": "object", "description": "The account's log: its origin and its keys."])]
            )
        )
    ) { exchange throws(Problem) in
        let state = try exchange.accounts.state(exchange.caller, in: exchange.store)
        let answer = HTTPResponse.answer(
            [
                ("account", .string(state.name.text)), ("userId", .string(state.session.userID.text)),
                ("policyEpoch", .integer(state.session.epoch)),
                ("passwordChangedAt", .string(state.session.passwordChangedAt.text)),
                ("devices", .array(state.devices.map { .object($0.members) })),
            ] + exchange.logMembers(of: state.session.userID)
        )
        return .now(try exchange.proving(answer, to: state.session))
    }

    private static let changePassword = Endpoint(
        method: .put,
        pattern: "/v1/account/password",
        name: "changePassword",
        summary: "Sets a new password; all other logins end, and the epoch rises.",
        content: .json(
            required: credentials + [Member.policyEpoch.described, Member.proof.described],
            optional: [Member.keyEnvelope.described, Member.previous.described]
        ),
        needsToken: true,
        answer: Operation.Answer(200, "The new epoch.", schema: object([("policyEpoch", epoch)])),
        problems: [.loginOld, .width, .epoch, .envelopeMissing, .envelopeMoved, .proof]
    ) { exchange throws(Problem) in
        let changed = try exchange.accounts.changePassword(exchange.caller, in: exchange.store) { () throws(Problem) in
            let form = try exchange.form()
            return PasswordChange(
                credentials: try Credentials(form),
                previous: try form.optional(.previous),
                epoch: try form(.policyEpoch),
                proof: try ProofOfChange(form)
            )
        }
        return .now(try exchange.proving(.answer([("policyEpoch", .integer(changed.epoch))]), to: changed.session))
    }

    private static let changeEnvelope = Endpoint(
        method: .put,
        pattern: "/v1/account/envelope",
        name: "changeEnvelope",
        summary: "Sets a new envelope under the same password.",
        content: .json(
            required: [Member.keyEnvelope.described, Member.proof.described],
            optional: [Member.previous.described]
        ),
        needsToken: true,
        answer: Operation.Answer(204, "It is set."),
        problems: [.loginOld, .envelopeMoved, .proof]
    ) { exchange throws(Problem) in
        let session = try exchange.accounts.changeEnvelope(exchange.caller, in: exchange.store) { () throws(Problem) in
            let form = try exchange.form()
            return EnvelopeChange(
                envelope: try form(.keyEnvelope),
                previous: try form.optional(.previous),
                proof: try ProofOfChange(form)
            )
        }
        return .now(try exchange.proving(.nothing, to: session))
    }

    private static let closeAccount = Endpoint(
        method: .delete,
        pattern: "/v1/account",
        name: "closeAccount",
        summary: "Closes the account: password, envelope, logins and devices go at once.",
        content: .json(required: [Member.proof.described]),
        needsToken: true,
        answer: Operation.Answer(204, "It is closed."),
        problems: [.loginOld, .proof]
    ) { exchange throws(Problem) in
        let session = try exchange.accounts.close(exchange.caller, in: exchange.store) { () throws(Problem) in
            try ProofOfChange(exchange.form())
        }
        return .now(try exchange.proving(.nothing, to: session))
    }

    /// The members that set a password, without the envelope.
    private static let credentials = [
        Member.group.described, Member.salt.described, Member.verifier.described, Member.kdf.described,
    ]
}

extension Credentials {
    fileprivate init(_ form: Form) throws(Problem) {
        self.init(
            group: try form(.group),
            salt: try form(.salt),
            verifier: try form(.verifier),
            kdf: try form(.kdf),
            envelope: try form.optional(.keyEnvelope)
        )
        try check()
    }
}

extension ProofOfChange {
    fileprivate init(_ form: Form) throws(Problem) { self.init(proof: try form(.proof), body: try form.provenBytes()) }
}
