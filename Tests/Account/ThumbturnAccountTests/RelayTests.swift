import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

/// Somebody between device and service whose certificate the device trusts: he passes a login on, M2 with it, and answers the
/// rest himself.
@Suite("A relay behind a true login", .serialized) struct RelayTests {
    private static let old = AccountClientTests.old
    private static let new = AccountClientTests.new

    private typealias Lie = @Sendable (Sent, (Sent) -> Answer) -> Answer

    private static let changes: [(String, Lie)] = [
        ("none", { sent, forward in with(forward(sent)) { $0.proof = nil } }),
        ("empty", { sent, forward in with(forward(sent)) { $0.proof = "" } }),
        ("another", { sent, forward in with(forward(sent)) { $0.proof = String(repeating: "0", count: 64) } }),
        ("cut short", { sent, forward in with(forward(sent)) { $0.proof?.removeLast(2) } }),
        ("of another body", { sent, forward in with(forward(sent)) { $0.body.append(0x20) } }),
        ("never sent", { sent, _ in Answer(status: [.post: 201, .delete: 204][sent.method] ?? 200) }),
    ]

    private static func with(_ answer: Answer, _ change: (inout Answer) -> Void) -> Answer {
        var answer = answer
        change(&answer)
        return answer
    }

    @Test(.holds("A48", "A49"))
    func `no answer to a login is believed that its key does not prove`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        for (name, lie) in Self.changes.dropLast() {
            room.wire.through { sent, forward throws(TransportFailure) in
                sent.path.hasPrefix("/v1/login/") ? lie(sent, forward) : forward(sent)
            }
            await failing(.notProved, "\(name)") { try await client.login(Self.old) }
        }
        room.wire.through(nil)
        let login = try await client.login(Self.old)
        let device = Identifier.make()
        let key = try await TestDevice.make(in: AccountRoom(), Self.old, registering: true).publicKey()
        _ = try await client.addDevice(login.session, device, publicKey: key)
        for (name, lie) in Self.changes {
            room.wire.through { sent, forward throws(TransportFailure) in lie(sent, forward) }
            await failing(.notProved, "\(name)") { _ = try await client.account(login.session) }
            await failing(.notProved, "\(name)") {
                _ = try await client.addDevice(login.session, .make(), publicKey: key)
            }
            await failing(.notProved, "\(name)") { try await client.revokeDevice(login.session, device) }
        }
        // What is proved to be the answer to another request of the same login is not one to this.
        room.wire.through { sent, forward throws(TransportFailure) in
            forward(Sent(method: .delete, path: "/v1/devices/\(device.text)", token: sent.token, body: []))
        }
        await failing(.notProved) { try await client.revokeDevice(login.session, .make()) }
    }

    @Test(.holds("A48", "F-107-05"))
    func `who keeps a change of the password, and plays the service by its verifier, takes no vault from its owner`()
        async throws
    {
        let (room, own) = (try AccountRoom(), try AccountRoom())
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let userID = try #require(await made.vault.account).userID
        let isPlaying = Mutex(false)
        let logins = Mutex(0)
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.path == "/v1/account/password" {
                // All that a registration takes is in it.
                let credentials = ["group", "salt", "verifier", "kdf", "keyEnvelope"]
                    .compactMap { name in sent.json[name].map { (name, $0) } }
                let body = JSON.object([("account", "ada")] + credentials).text(escaping: JSON.shortestEscape)
                isPlaying.withLock { $0 = true }
                _ = own.answer(Sent(method: .post, path: "/v1/accounts", token: nil, body: Array(body.utf8)))
                return Answer(status: 200, body: Array(#"{"policyEpoch":1}"#.utf8))
            }
            guard isPlaying.withLock({ $0 }), sent.path.hasPrefix("/v1/login") else { return forward(sent) }
            logins.withLock { $0 += 1 }
            let answer = own.answer(sent)
            return answer.json["userId"] == nil ? answer : answer.with("userId", .string(userID.text))
        }
        #expect(await refusal { try await made.change(Self.old, Self.new) } == .serviceNotProved)
        // A login with the new password would prove nothing: he has its verifier.
        #expect(logins.withLock { $0 } == 0)
        room.wire.through(nil)
        try await made.unlock(Self.old)
        #expect(await refusal { try await made.unlock(Self.new) } == .strongFactorRefused)
    }

    @Test(.holds("A48", "K-10")) func `who hides devices, or keeps an envelope, costs no device its key`() async throws
    {
        let room = try AccountRoom()
        let devices = [
            try await TestDevice.make(in: room, Self.old, registering: true),
            try await TestDevice.make(in: room, Self.old, registering: false),
            try await TestDevice.make(in: room, Self.old, registering: false),
        ]
        let lost = try #require(await devices[2].vault.account).device.text
        let this = try #require(await devices[0].vault.account).device.text
        room.wire.answering("/v1/account") { answer in
            guard case .array(let all)? = answer.json["devices"] else { return answer }
            let shown = all.filter { [this, lost].contains($0["deviceId"]?.text ?? "") }
            return answer.with("devices", .array(shown))
        }
        #expect(
            await refusal { try await devices[0].account.revoke(lost, SecretBytes(text: Self.old)) }
                == .serviceNotProved
        )
        room.wire.through { sent, forward throws(TransportFailure) in
            sent.path == "/v1/account/envelope" ? Answer(status: 204) : forward(sent)
        }
        #expect(
            await refusal { try await devices[0].account.revoke(lost, SecretBytes(text: Self.old)) }
                == .serviceNotProved
        )
        #expect(
            await refusal { _ = try await TestDevice.make(in: room, Self.old, registering: false) } == .serviceNotProved
        )
        // He has the token, so he can strike another device off in the same breath; its key stays.
        let struck = try #require(await devices[1].vault.account).device.text
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.path == "/v1/account", sent.method == .get {
                _ = forward(Sent(method: .delete, path: "/v1/devices/\(struck)", token: sent.token, body: []))
            }
            return forward(sent)
        }
        try await devices[0].account.revoke(lost, SecretBytes(text: Self.old))
        room.wire.through(nil)
        for device in devices.dropLast() { try await device.unlock(Self.old) }
        #expect(await refusal { try await devices[2].unlock(Self.old) } == .accountKeyMissing)
    }
}

extension TestDevice {
    /// The public half of its key.
    func publicKey() async throws -> [UInt8] {
        try await vault.publicKey(of: #require(await vault.account).deviceKey)
    }
}
