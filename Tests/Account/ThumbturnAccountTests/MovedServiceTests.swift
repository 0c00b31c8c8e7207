import Foundation
import Synchronization
import Testing
import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

/// A service that is dialled at another address than before, and whoever says that he is that.
@Suite("A service that moved", .serialized) struct MovedServiceTests {
    private static let old = AccountClientTests.old
    private static let new = AccountClientTests.new
    private static let elsewhere = "https://accounts.example.net:8443"

    private static func move(
        _ made: TestDevice,
        to room: AccountRoom,
        _ password: String = old
    ) async throws -> AccountVault {
        await made.vault.lock()
        return try await made.account.move(
            to: room.client(at: elsewhere).transport,
            with: SecretBytes(text: password)
        ).account
    }

    @Test(.holds("A48", "A50")) func `is the same one, for a vault that follows it and for a new device`() async throws
    {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        try await made.enableBiometrics(Self.old)
        let known = try #require(await made.vault.account)
        #expect(known.service == VaultAccount.Service(name: AccountRoom.origin, address: AccountRoom.origin))

        let moved = try await Self.move(made, to: room)
        let account = try #require(await made.vault.account)
        #expect(account.service == VaultAccount.Service(name: AccountRoom.origin, address: Self.elsewhere))
        #expect(account.device == known.device && account.deviceKey == known.deviceKey)
        #expect(await made.vault.snapshot.state == .unlocked(.full))
        try await moved.contact()
        try await made.touch()
        // The way that was taken before is none any more.
        #expect(await refusal { try await made.account.contact() } == .serviceElsewhere)
        #expect(await refusal { _ = try await made.reopened(in: room) } == .serviceElsewhere)
        let again = try await made.reopened(in: room, at: Self.elsewhere)
        try await again.change(Self.old, Self.new)

        let second = try await TestDevice.make(in: room, Self.new, registering: false, at: Self.elsewhere)
        #expect(await second.vault.account?.service == account.service)
        try await second.account.contact()
        try await again.unlock(Self.new)
    }

    @Test func `what vouches for it stays, until another is named`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let ways: [(String?, String?, String?, String?)] = [
            ("/ca.pem", "cGlu", "/ca.pem", "cGlu"), (nil, nil, "/ca.pem", "cGlu"), (nil, "b3Ro", "/ca.pem", "b3Ro"),
        ]
        for (number, (authority, pin, keptAuthority, keptPin)) in ways.enumerated() {
            let client = try room.client()
            let way = AccountTransport(
                origin: "https://accounts\(number).example.net",
                authority: authority,
                pin: pin,
                roundTrip: client.transport.roundTrip
            )
            _ = try await made.account.move(to: way, with: SecretBytes(text: Self.old))
            let service = try #require(await made.vault.account).service
            #expect(service.address == way.origin && service.name == AccountRoom.origin)
            #expect(service.authority == keptAuthority && service.pin == keptPin)
        }
    }

    @Test(.holds("A48", "A50", "K-10"), arguments: Liar.allCases)
    func `another that says so moves nothing, and learns nothing`(liar: Liar) async throws {
        let (room, own) = (try AccountRoom(), try AccountRoom(named: liar.name))
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        try await made.enableBiometrics(Self.old)
        try await made.vault.accept(.epoch(0))
        // The owner has the same name and password there.
        _ = try await TestDevice.make(in: own, Self.old, registering: true)
        let seen = own.wire.paths.count
        let known = try #require(await made.vault.account)
        let members = liar.members(known)
        own.wire.through { sent, _ throws(TransportFailure) in
            switch liar {
            case .relay: own.answer(sent).saying(members)
            case .trueKeys: room.answer(sent, saying: members)
            default: own.answer(sent, saying: members)
            }
        }
        #expect(await refusal { _ = try await Self.move(made, to: own) } == liar.refusal)
        #expect(await made.vault.account == known)
        #expect(await made.vault.snapshot.state != .unlocked(.full))
        // He saw a login, and nothing else: no device, no envelope.
        #expect(own.wire.paths[seen...].allSatisfy { $0.hasPrefix("/v1/login") })
        // Nor did he end the finger, or name an epoch that the true service would fall behind.
        try await made.touch()
        try await made.account.contact()
        #expect(await made.vault.snapshot.biometrics == .enabled)
        try await made.unlock(Self.old)
    }

    /// Who says at another address that he is the account's service.
    enum Liar: String, CaseIterable {
        /// He has our name, and an account of his own.
        case ourName
        /// The account's `userId` as well, which is in every record.
        case ourUser
        /// And an epoch that is far ahead.
        case ahead
        /// He keeps no envelope.
        case noEnvelope
        /// He hands a true login on, and says the rest himself.
        case relay
        /// The true service, as it was before the epoch rose.
        case trueKeys
        /// He is honest about his name alone.
        case otherName

        var name: String { self == .otherName ? "https://other.example.org" : AccountRoom.origin }

        func members(_ known: VaultAccount) -> [String: JSON?] {
            let user = JSON.string(known.userID.text)
            return switch self {
            case .ourName: [:]
            case .ourUser, .otherName, .relay: ["userId": user]
            case .ahead: ["userId": user, "policyEpoch": .integer(1 << 40)]
            case .noEnvelope: ["userId": user].merging(["keyEnvelope": nil]) { $1 }
            case .trueKeys: ["origin": "https://other.example.org"]
            }
        }

        var refusal: ErrorCode {
            switch self {
            case .ourName: .accountMismatch
            case .relay: .serviceNotProved
            case .ourUser, .ahead, .noEnvelope, .trueKeys, .otherName: .serviceDiffers
            }
        }
    }

    @Test(.holds("A48")) func `another name at the same address opens nothing`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        await made.vault.lock()
        room.wire.through { sent, _ throws(TransportFailure) in
            room.answer(sent, saying: ["origin": "https://other.example.org"])
        }
        #expect(await refusal { try await made.unlock(Self.old) } == .serviceDiffers)
        room.wire.through(nil)
        try await made.unlock(Self.old)
    }

    @Test func `an older state of it is not followed`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        try await made.vault.accept(.epoch(1))
        let known = try #require(await made.vault.account)
        #expect(await refusal { _ = try await Self.move(made, to: room) } == .serviceDiffers)
        #expect(await made.vault.account == known)
    }

    @Test func `a wrong password moves nothing, and a session that may only export moves nothing`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let known = try #require(await made.vault.account)
        #expect(await refusal { _ = try await Self.move(made, to: room, Self.new) } == .strongFactorRefused)
        #expect(await made.vault.account == known)
    }

    @Test(.holds("F-107-05")) func `cut off at any call, the vault opens at one of both, and the move is done anew`()
        async throws
    {
        let room = try AccountRoom()
        var calls = Int.max
        var number = 0
        while number < calls {
            for isDone in [false, true] {
                let made = try await TestDevice.make(in: room, Self.old, registering: number == 0 && !isDone)
                try await made.enableBiometrics(Self.old)
                let left = Mutex(number)
                let before = room.wire.sent.count
                room.wire.through { sent, forward throws(TransportFailure) in
                    let isIt = left.withLock { left in
                        left -= 1
                        return left == -1
                    }
                    let answer = isDone || !isIt ? forward(sent) : nil
                    guard !isIt, let answer else { throw .lost }
                    return answer
                }
                let code = await refusal { _ = try await Self.move(made, to: room) }
                room.wire.through(nil)
                if code == nil { calls = min(calls, room.wire.sent.count - before) }
                let address = try #require(await made.vault.account).service.address
                #expect((code == nil) == (address == Self.elsewhere), "\(number)")
                try await made.reopened(in: room, at: address).unlock(Self.old)
                let again = try await made.reopened(in: room, at: address)
                let moved = try await Self.move(again, to: room)
                try await moved.contact()
            }
            number += 1
        }
        #expect(number >= 2)
    }

    @Test(.holds("A50")) func `a device has another key for each account`() async throws {
        let (room, other) = (try AccountRoom(), try AccountRoom(named: "https://other.example.org"))
        _ = try await TestDevice.make(in: other, Self.old, registering: true)
        let simulated = try await TestDevice.make(in: room, Self.old, registering: true)
        let folder = try TemporaryFolder()
        var keys: [JSON?] = []
        for at in [room, other] {
            let failing = at === room
            // The first listing is done, and its answer lost: nothing is made there.
            if failing { room.wire.loseAnswer(to: "/v1/devices") }
            let transport = try at.client().transport
            let code = await refusal {
                _ = try await AccountVault.logIn(
                    "ada",
                    password: SecretBytes(text: Self.old),
                    over: transport,
                    in: folder.file("vault"),
                    device: simulated.device,
                    policy: TestVault.accountPolicy,
                    configuration: TestVault.configuration()
                )
            }
            #expect((code != nil) == failing)
            keys += at.wire.sent.filter { $0.path == "/v1/devices" }.map { $0.json["publicKey"] }
        }
        let texts = keys.compactMap { $0?.text }
        #expect(texts.count >= 3 && Set(texts).count == texts.count)
    }
}

extension Answer {
    /// The same with other members, and the proof that it had.
    fileprivate func saying(_ members: [String: JSON?]) -> Answer {
        guard json["token"] != nil else { return self }
        return members.reduce(self) { $0.with($1.key, $1.value) }
    }
}

extension OverSocketTests {
    /// `account move`.
    @Suite struct MovedServiceCommandTests {
        @Test func `the vault follows the service, a new device finds it there, and status names both`() throws {
            let service = try TestService()
            let box = try Box.device("register", at: service)
            let name = service.origin
            try box.run(["wallet", "import", "Main"], [Passwords.old, Box.mnemonic]).ends(0)
            try service.move()
            try #require(service.origin != name)

            try box.run(["account", "login"], [Passwords.old]).ends(3, "ERR-TT-501")
            let former = box.contents()
            let told = try box.run(["account", "login", "ada", "--service", service.origin], [Passwords.old])
            told.ends(1, "ERR-TT-511")
            #expect(told.standardError.contains("account move URL`"))
            #expect(box.contents() == former)
            try box.run(["account", "login", "bob", "--service", service.origin], [Passwords.old])
                .ends(1, "ERR-TT-507")

            try box.run(["account", "move", service.origin], [Passwords.new]).ends(1, "ERR-107-040")
            #expect(try box.run(["status"]).ends(0).standardOutput.contains(name))
            let moved = try box.json(["account", "move", service.origin], [Passwords.old])
            #expect(moved["service"] as? String == service.origin && moved["origin"] as? String == name)
            let status = try box.run(["status"]).ends(0).standardOutput
            #expect(status.contains(service.origin) && status.contains(name))
            let account = try #require(box.json(["status"])["account"] as? [String: Any])
            #expect(account["service"] as? String == service.origin && account["origin"] as? String == name)
            try box.run(["account", "contact"]).ends(0)
            #expect(
                try box.run(["wallet", "export", "Main"], [Passwords.old]).ends(0).standardOutput
                    .contains(Box.mnemonic)
            )
            // What is there already may be asked for again.
            try box.run(["account", "move", service.origin], [Passwords.old]).ends(0)

            let second = try Box.device("login", at: service)
            try second.run(["account", "contact"]).ends(0)
            #expect(try box.devices().count == 2)
            try box.run(["account", "move", "ftp://127.0.0.1"], [Passwords.old]).ends(2, "ERR-TT-301")
        }

        @Test func `a service that refuses the name is not called a wrong password alone`() throws {
            let (service, other) = (try TestService(), try TestService())
            let box = try Box.device("register", at: service)
            let told = try box.run(["account", "move", other.origin], [Passwords.old]).ends(1, "ERR-107-040")
            #expect(told.standardError.contains("another service, or the password is wrong"))
            #expect(try box.run(["status"]).ends(0).standardOutput.contains(service.origin))
        }

        @Test func `it is followed though the file of what vouched for it is gone, where another is named`() throws {
            let authority = try Authority()
            _ = try authority.certify("IP:127.0.0.1")
            let service = try TestService("--tls-cert", authority.chain, "--tls-key", authority.key)
            let box = try Box()
            let former = box.folder + "/authority.pem"
            try FileManager.default.copyItem(atPath: authority.file, toPath: former)
            let words = ["account", "register", "ada", "--service", service.origin, "--ca", former]
            try box.run(words, [Passwords.old]).ends(0)
            try FileManager.default.removeItem(atPath: former)
            try service.move()
            try box.run(["account", "move", service.origin], [Passwords.old]).ends(2, "ERR-TT-301")
            try box.run(["account", "move", service.origin, "--ca", authority.file], [Passwords.old]).ends(0)
            try box.run(["account", "contact"]).ends(0)
        }

        @Test func `a pin goes along to where there is no TLS, is not asked there, and comes back`() throws {
            let authority = try Authority()
            _ = try authority.certify("IP:127.0.0.1")
            let service = try TestService("--tls-cert", authority.chain, "--tls-key", authority.key)
            let box = try Box.device("register", at: service, "--ca", authority.file, "--pin", authority.pin())
            let secure = service.origin
            try service.move(withoutTLS: true)
            try box.run(["account", "move", service.origin], [Passwords.old]).ends(0)
            try box.run(["account", "contact"]).ends(0)
            try service.move()
            try #require(service.origin.hasPrefix("https://") && service.origin != secure)
            try box.run(["account", "move", service.origin], [Passwords.old]).ends(0)
            try box.run(["account", "contact"]).ends(0)
        }
    }
}
