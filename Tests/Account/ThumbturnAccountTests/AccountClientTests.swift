import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

@Suite("A client of the service") struct AccountClientTests {
    static let old = "correct horse 41 battery"
    static let new = "another staple 73 horse"

    @Test func `it registers, logs in, opens its envelope, and hears what the service knows`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        let registered = try await client.register(Self.old)
        let login = try await client.login(Self.old)
        let envelope = try client.open(login)
        #expect(envelope.wrapped == [registered.device: envelope.keys.newest])
        #expect(login.policyEpoch == 0 && login.passwordChangedAt == room.now)
        let state = try await client.account(login.session)
        #expect(state.userID == login.userID && state.policyEpoch == 0 && state.devices.isEmpty)
        #expect(state.passwordChangedAt == room.now)
        let salt = login.envelopeKey.salt
        #expect(login.protection == VaultAccount.Login(group: .bits3072, cost: AccountRoom.kdf, salt: salt))
        #expect(room.wire.paths.count == 4)
    }

    @Test(arguments: [SRPGroup.bits2048, .bits4096])
    func `it begins in its own group, and once more in the account's`(group: SRPGroup) async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old, in: group)
        let login = try await client.login(Self.old)
        #expect(login.protection.group == group)
        #expect(room.wire.paths.filter { $0 == "/v1/login" }.count == 2)
        let again = try await client.login(Self.old, known: login.protection)
        #expect(again.protection == login.protection)
        #expect(room.wire.paths.filter { $0 == "/v1/login" }.count == 3)
    }

    @Test func `a wrong password is refused by the service, and so is a name that nobody has`() async throws {
        let room = try AccountRoom()
        _ = try await room.client().register(Self.old)
        for name in ["ada", "bob"] {
            await failing(.passwordRefused) { try await room.client(name).login(Self.new) }
        }
        #expect(VaultError(AccountFailure.passwordRefused).code == .strongFactorRefused)
    }

    @Test(arguments: ["", "tab\there", String(repeating: "x", count: 1_025)])
    func `what can be no password is not sent`(text: String) async throws {
        let room = try AccountRoom()
        await failing(.passwordMalformed) { try await room.client().login(text) }
        #expect(room.wire.sent.isEmpty)
    }

    @Test func `after too many a wait is told`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        for _ in 0..<6 { await failing(.passwordRefused) { try await client.login(Self.new) } }
        await failing(.wait(.seconds(1))) { try await client.login(Self.old) }
        #expect(VaultError(AccountFailure.wait(.seconds(1))).retryAfter == .seconds(1))
        room.advance(.seconds(1))
        _ = try await client.login(Self.old)
    }

    @Test func `a name that is taken is told`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        await failing(.nameTaken) { _ = try await client.register(Self.new) }
        _ = try await client.login(Self.old)
    }

    @Test func `a changed password opens the same account with another key, and its session goes on`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        let login = try await client.login(Self.old)
        let other = try await client.login(Self.old)
        let former = try client.open(login).takeKeys().newest
        room.advance(.minutes(1))
        #expect(try await client.change(login, to: Self.new) == 1)
        let again = try await client.login(Self.new, known: login.protection)
        let envelope = try client.open(again)
        #expect(envelope.keys.names.dropFirst() == [former] && again.policyEpoch == 1)
        #expect(again.passwordChangedAt == room.now && again.protection.saltDigest != login.protection.saltDigest)
        #expect(again.userID == login.userID)
        _ = try await client.account(login.session)
        await failing(.tokenEnded) { _ = try await client.account(other.session) }
        await failing(.passwordRefused) { try await client.login(Self.old) }
    }

    @Test func `of two changes that race the later one changes nothing`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        let one = try await client.login(Self.old)
        let two = try await client.login(Self.old)
        #expect(try await client.change(one, to: Self.new) == 1)
        await failing(.tokenEnded) { _ = try await client.change(two, to: "a third one altogether") }
        // Its own token goes on, and yet no change can be played once more.
        await failing(.epochMoved) { _ = try await client.change(one, to: "a third one altogether") }
        _ = try await client.login(Self.new)
        #expect(VaultError(AccountFailure.tokenEnded).code == .accountChanged)
        #expect(VaultError(AccountFailure.epochMoved).code == .accountChanged)
    }

    @Test func `an envelope is replaced by who knows it, and brought by the first login where there is none`()
        async throws
    {
        let room = try AccountRoom()
        let client = try room.client()
        let registered = try await client.register(Self.old, hasEnvelope: false)
        let login = try await client.login(Self.old)
        #expect(login.envelope == nil)
        #expect(throws: AccountFailure.keyMissing) { _ = try client.open(login) }
        let first = try AccountEnvelope.first(for: registered.device)
        let sealed = try first.sealed(under: login.envelopeKey, of: client.account, at: AccountRoom.origin)
        try await client.putEnvelope(login.session, sealed, replacing: nil)
        await failing(.envelopeMoved) { try await client.putEnvelope(login.session, sealed, replacing: nil) }
        let again = try await client.login(Self.old)
        #expect(again.envelope == sealed && again.policyEpoch == 0)
        try await client.putEnvelope(again.session, [1], replacing: sealed)
        await failing(.envelopeMoved) { try await client.putEnvelope(again.session, [2], replacing: sealed) }
        #expect(VaultError(AccountFailure.envelopeMoved).code == .accountChanged)
    }

    @Test func `a login of five minutes changes nothing any more, and one of fifteen says nothing`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        let login = try await client.login(Self.old)
        room.advance(.minutes(5))
        await failing(.loginOld) { _ = try await client.change(login, to: Self.new) }
        await failing(.loginOld) { try await client.putEnvelope(login.session, [1], replacing: login.envelope) }
        await failing(.loginOld) { try await client.closeAccount(login.session) }
        await failing(.loginOld) { try await client.revokeDevice(login.session, .make()) }
        _ = try await client.account(login.session)
        room.advance(.minutes(10))
        await failing(.tokenEnded) { _ = try await client.account(login.session) }
    }

    @Test func `a closed account is gone, and its name is free`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        let login = try await client.login(Self.old)
        try await client.closeAccount(login.session)
        await failing(.tokenEnded) { _ = try await client.account(login.session) }
        await failing(.passwordRefused) { try await client.login(Self.old) }
        _ = try await client.register(Self.new)
        let anew = try await client.login(Self.new)
        #expect(anew.userID != login.userID)
    }

    @Test(.holds("SRP-21")) func `less than was known is refused before anything follows from the password`()
        async throws
    {
        let room = try AccountRoom()
        let client = try room.client()
        _ = try await client.register(Self.old)
        let salt = try await client.login(Self.old).envelopeKey.salt
        let dearer = Argon2Parameters(memoryKiB: AccountRoom.kdf.memoryKiB, passes: AccountRoom.kdf.passes + 1)
        let known = VaultAccount.Login(group: .bits3072, cost: dearer, salt: salt)
        let count = room.wire.sent.count
        await failing(.weakened) { try await client.login(Self.old, known: known) }
        #expect(room.wire.sent.count == count + 1)
        _ = try await client.login(Self.old, known: known, acceptsWeaker: true)
        let stronger = VaultAccount.Login(group: .bits4096, cost: AccountRoom.kdf, salt: salt)
        await failing(.weakened) { try await client.login(Self.old, known: stronger) }
        #expect(room.wire.paths.last == "/v1/login")
        _ = try await client.login(Self.old, known: stronger, acceptsWeaker: true)
        #expect(VaultError(AccountFailure.weakened).code == .serviceWeakened)
    }
}

/// Expects a failure of a call.
func failing<R: ~Copyable>(
    _ failure: AccountFailure,
    _ what: Comment? = nil,
    at location: SourceLocation = #_sourceLocation,
    _ body: () async throws -> R
) async {
    do {
        _ = try await body()
        Issue.record("\(what?.rawValue ?? "")done, and not \(failure)", sourceLocation: location)
    } catch {
        #expect(error as? AccountFailure == failure, what, sourceLocation: location)
    }
}
