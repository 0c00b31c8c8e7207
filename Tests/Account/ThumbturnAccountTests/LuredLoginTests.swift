import Synchronization
import Testing
import Thumbturn
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

/// What a false service has of an owner who types the password: one guess at it for each proof.
@Suite struct LuredLoginTests {
    @Test(.holds("SRP-10")) func `one that ends each handshake gets four proofs for a password, and no more`()
        async throws
    {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, AccountClientTests.old, registering: true)
        await made.vault.lock()
        let before = room.wire.sent.count
        room.wire.answering("/v1/login/*") { _ in Answer(status: 401, body: Array(#"{"code":"HANDSHAKE"}"#.utf8)) }
        let password = SecretBytes(text: AccountClientTests.old)
        #expect(await refusal { try await made.account.unlock(with: password) } == .accountChanged)
        let paths = room.wire.paths[before...]
        #expect(paths.count { $0.hasPrefix("/v1/login/") } == 4 && paths.count == 8)
    }

    @Test(.holds("SRP-21"), arguments: [0, 1, 3])
    func `one that asks for less is told of as that only while it has had no proof`(proofs: Int) async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(
            in: room,
            AccountClientTests.old,
            registering: true,
            stretchedBy: .standard
        )
        await made.vault.lock()
        let before = room.wire.sent.count
        let left = Mutex(proofs)
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.path.hasPrefix("/v1/login/") {
                left.withLock { $0 -= 1 }
                return .problem(401, "HANDSHAKE")
            }
            return left.withLock { $0 } == 0 ? Self.cheaper(forward(sent)) : forward(sent)
        }
        let password = SecretBytes(text: AccountClientTests.old)
        let code = await refusal { try await made.account.unlock(with: password) }
        #expect(code == (proofs == 0 ? .serviceWeakened : .serviceNotProved))
        #expect(room.wire.paths[before...].count { $0.hasPrefix("/v1/login/") } == proofs)
    }

    @Test(.holds("A4"), arguments: [Argon2Limits.standard, .insecureTest])
    func `a new account costs what its vault's PIN would, and never less than the service takes`(
        limits: Argon2Limits
    ) async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, AccountClientTests.old, registering: true, stretchedBy: limits)
        let expected = limits == .standard ? Argon2Parameters(memoryKiB: 65_536, passes: 3) : AccountRoom.kdf
        #expect(try await room.client().login(AccountClientTests.old).protection.cost == expected)
        try await made.change(AccountClientTests.old, AccountClientTests.new)
        #expect(try await room.client().login(AccountClientTests.new).protection.cost == expected)
    }

    @Test(.holds("A4")) func `a cheap account costs what a device asks that changes its password`() async throws {
        let room = try AccountRoom()
        _ = try await room.client().register(AccountClientTests.old, hasEnvelope: false)
        let device = try await TestDevice.make(
            in: room,
            AccountClientTests.old,
            registering: false,
            stretchedBy: .standard
        )
        try await device.change(AccountClientTests.old, AccountClientTests.new)
        let login = try await room.client().login(AccountClientTests.new)
        #expect(login.protection.cost == Argon2Limits.standard.default)
    }

    private static func cheaper(_ challenge: Answer) -> Answer {
        let (usual, least) = (Argon2Limits.standard.default.passes, Argon2Limits.standard.floor.passes)
        let body = String(decoding: challenge.body, as: UTF8.self)
            .replacing("\"passes\":\(usual)", with: "\"passes\":\(least)")
        return Answer(status: challenge.status, proof: challenge.proof, body: Array(body.utf8))
    }
}
