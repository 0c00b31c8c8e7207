import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

@Suite("A network that fails") struct LostAnswerTests {
    private static let old = AccountClientTests.old
    private static let new = AccountClientTests.new

    @Test func `after a lost registration the name is taken, and a login says by whom`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        room.wire.loseAnswer(to: "/v1/accounts")
        await failing(.lost) { _ = try await client.register(Self.old) }
        room.wire.through(nil)
        await failing(.nameTaken) { _ = try await client.register(Self.old) }
        let login = try await client.login(Self.old)
        _ = try client.open(login)
    }

    @Test func `after a lost change the new password opens the account, or the old does`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        let login = try await client.login(Self.old)
        room.wire.through { _, _ throws(TransportFailure) in throw .lost }  // before it came there
        await failing(.lost) { _ = try await client.change(login, to: Self.new) }
        room.wire.through(nil)
        await failing(.passwordRefused) { try await client.login(Self.new) }
        #expect(try await client.login(Self.old).policyEpoch == 0)
        room.wire.loseAnswer(to: "/v1/account/password")  // after it was done
        await failing(.lost) { _ = try await client.change(login, to: Self.new) }
        room.wire.through(nil)
        let again = try await client.login(Self.new)
        #expect(again.policyEpoch == 1)
        #expect(try client.open(again).keys.names.count == 2)
        #expect(VaultError(AccountFailure.lost).code == .serviceUnreachable)
    }

    @Test func `a lost envelope shows at the next try, and a lost login costs nothing`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        room.wire.loseAnswer(to: "/v1/login/*")
        await failing(.lost) { try await client.login(Self.old) }
        room.wire.through(nil)
        let login = try await client.login(Self.old)
        room.wire.loseAnswer(to: "/v1/account/envelope")
        await failing(.lost) { try await client.putEnvelope(login.session, [1], replacing: login.envelope) }
        room.wire.through(nil)
        await failing(.envelopeMoved) { try await client.putEnvelope(login.session, [1], replacing: login.envelope) }
        #expect(try await client.login(Self.old).envelope == [1])
    }

    @Test func `a login that ended meanwhile is no wrong password`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.path.hasPrefix("/v1/login/") { room.advance(.minutes(2)) }
            return forward(sent)
        }
        await failing(.handshakeEnded) { try await client.login(Self.old) }
        #expect(VaultError(AccountFailure.handshakeEnded).code == .accountChanged)
    }

    @Test(arguments: [
        (TransportFailure.unreachable, AccountFailure.unreachable, ErrorCode.serviceUnreachable),
        (.lost, .lost, .serviceUnreachable), (.untrusted, .notProved, .serviceNotProved),
    ])
    func `why there is no answer is kept`(
        failure: TransportFailure,
        told: AccountFailure,
        code: ErrorCode
    ) async throws {
        let room = try AccountRoom()
        room.wire.through { _, _ throws(TransportFailure) in throw failure }
        await failing(told) { try await room.client().login(Self.old) }
        #expect(VaultError(told).code == code)
    }

    @Test(arguments: [
        (503, "BUSY", AccountFailure.unreachable), (503, "STORE", .unreachable), (503, "STORE_FULL", .unreachable),
        (503, "SERVICE_KEY", .unreachable), (503, "UNCERTAIN", .lost), (503, "", .lost), (500, "INTERNAL", .lost),
        (500, "DAMAGED", .lost), (502, "", .lost), (504, "LOGIN", .lost), (429, "", .wait(.seconds(1))),
        (401, "", .notProved), (401, "PROXY", .notProved), (403, "", .notProved), (409, "NONCE", .lost),
        (403, "PROOF", .notProved), (401, "SIGNATURE", .notProved), (422, "FORM", .notProved), (404, "", .notProved),
        (301, "", .notProved), (200, "", .notProved), (0, "", .notProved),
    ])
    func `what a service says, and what stands before one, is told apart`(
        status: Int,
        code: String,
        failure: AccountFailure
    ) async throws {
        let room = try AccountRoom()
        room.wire.through { _, _ throws(TransportFailure) in .problem(status, code) }
        await failing(failure) { try await room.client().login(Self.old) }
        room.wire.through { _, _ throws(TransportFailure) in .problem(status, code) }
        await failing(failure) { _ = try await room.client().register(Self.old) }
    }

    @Test(arguments: [(nil, 1), (0, 1), (7, 7), (3_600, 3_600)] as [(Int?, Int64)])
    func `a wait ends`(told: Int?, seconds: Int64) async throws {
        let room = try AccountRoom()
        room.wire.through { _, _ throws(TransportFailure) in .problem(429, "WAIT", retryAfter: told) }
        await failing(.wait(.seconds(seconds))) { try await room.client().login(Self.old) }
    }

    @Test(arguments: [-5, 3_601, 99_999_999, .max])
    func `a wait that no service of ours asks for is told as that, and nobody waits for it`(told: Int) async throws {
        let room = try AccountRoom()
        room.wire.through { _, _ throws(TransportFailure) in .problem(429, "WAIT", retryAfter: told) }
        await failing(.waitSenseless) { try await room.client().login(Self.old) }
        let error = VaultError(AccountFailure.waitSenseless)
        #expect(error.code == .serviceUnreachable && error.retryAfter == nil)
    }

    @Test func `a service that takes no new accounts is told apart from one that is none`() async throws {
        for (status, code) in [(403, "REGISTRATION_CLOSED"), (507, "ACCOUNTS_FULL")] {
            let room = try AccountRoom()
            room.wire.through { _, _ throws(TransportFailure) in .problem(status, code) }
            await failing(.registrationRefused) { _ = try await room.client().register(Self.old) }
        }
        #expect(VaultError(AccountFailure.registrationRefused).code == .registrationClosed)
    }

    @Test(arguments: [
        (TransportFailure.expired, ErrorCode.certificateExpired), (.clockDiffers, .certificateClock),
        (.unknownAuthority, .certificateUnknown), (.untrusted, .serviceNotProved),
    ])
    func `what is wrong with a certificate has its code`(failure: TransportFailure, code: ErrorCode) async throws {
        let room = try AccountRoom()
        room.wire.through { _, _ throws(TransportFailure) in throw failure }
        let told = AccountFailure(failure)
        await failing(told) { try await room.client().login(Self.old) }
        #expect(VaultError(told).code == code)
    }
}
