import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnJSON

@testable import ThumbturnService

extension AccountRoom {
    /// Takes the envelope of every account out of the database.
    func forgetEnvelopes() throws {
        try location.open().writing { tables throws(Problem) in try tables.put("UPDATE accounts SET envelope = NULL") }
    }

    /// Takes every device out of it, as a database does that is older than they are.
    func forgetDevices() throws {
        try location.open().writing { tables throws(Problem) in try tables.put("DELETE FROM devices") }
    }

    /// Puts back what the devices' contacts were proved by, as a database does that came back from a backup, after `body`.
    func restoringContactKeys(_ body: () async throws -> Void) async throws {
        let rows = try location.open().looking { tables throws(Problem) in
            try tables.rows("SELECT device_id, contact_key FROM devices")
        }
        try await body()
        try location.open().writing { tables throws(Problem) in
            for row in rows {
                try tables.put(
                    "UPDATE devices SET contact_key = $1 WHERE device_id = $2",
                    .blob(row.blob(1)),
                    .blob(row.blob(0))
                )
            }
        }
    }

    /// What a service answers to the end of a login that says of itself what it likes: it has K, and proves every word.
    func answer(_ sent: Sent, saying members: [String: JSON?]) -> Answer {
        let answer = answer(sent)
        guard let text = answer.json["token"]?.text else { return answer }
        return proved(answer, saying: members, to: sent, in: text)
    }

    /// The same of any answer within a login.
    ///
    /// - Parameter text: the login's token.
    func proved(_ answer: Answer, saying members: [String: JSON?], to sent: Sent, in text: String) -> Answer {
        var answer = answer
        guard let token = BearerToken(authorization: "Bearer \(text)"), let store = try? location.open() else {
            return answer
        }
        let (keys, now) = (service.accounts.keys, service.clock())
        let found = try? store.looking { tables throws(Problem) in
            HeldSecret(try keys.sessionKey(of: tables.session(token, keys, at: now)))
        }
        for (name, value) in members { answer = answer.with(name, value) }
        guard let found else { return answer }
        let message = AnswerProof.message(
            sent.method.rawValue,
            sent.path,
            request: SHA256.digest(sent.body),
            status: answer.status,
            body: SHA256.digest(answer.body)
        )
        answer.proof = SessionProof.make(of: message, sessionKey: found.bytes).hexadecimal
        return answer
    }
}
