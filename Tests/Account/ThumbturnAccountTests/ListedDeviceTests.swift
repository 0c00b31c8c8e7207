import Synchronization
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnAccount

/// What becomes of a device's key while the service's list and the envelope's notes don't agree.
@Suite("Devices that the service lists, and those that it lists no more", .serialized) struct ListedDeviceTests {
    private static let old = AccountClientTests.old
    private static let new = AccountClientTests.new

    /// Takes a device off the list with nothing but a token, as who stole that does.
    private func strike(_ device: TestDevice, _ password: String, in room: AccountRoom) async throws {
        let client = try room.client()
        try await client.revokeDevice(client.login(password).session, #require(await device.vault.account).device)
    }

    /// Changes the password as another client does, and the envelope as told.
    private func change(
        _ client: AccountClient,
        to password: String,
        _ body: (consuming AccountEnvelope) throws -> AccountEnvelope
    ) async throws {
        let login = try await client.login(Self.old)
        let made = try AccountPassword.make(SecretBytes(text: password), kdf: AccountRoom.kdf)
        _ = try await client.changePassword(
            login.session,
            to: made,
            envelope: body(client.open(login)).sealed(
                under: made.envelopeKey,
                of: client.account,
                at: AccountRoom.origin
            ),
            replacing: login.envelope,
            policyEpoch: 0
        )
    }

    @Test(.holds("F-107-09", "K-10"), arguments: [false, true])
    func `a device that a thief of a token took off the list keeps its key, and its next login lists it anew`(
        changesFirst: Bool
    ) async throws {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        let former = try #require(await second.vault.account).device
        try await strike(second, Self.old, in: room)
        #expect(await refusal { try await second.account.contact() } == .securityEventMissing)
        if !changesFirst {
            try await second.unlock(Self.old)
            try await second.account.contact()
        }
        try await first.change(Self.old, Self.new)
        try await second.unlock(Self.new)
        let device = try #require(await second.vault.account).device
        #expect(device != former)
        let client = try room.client()
        let login = try await client.login(Self.new)
        let listed = try await client.account(login.session).devices.map(\.id)
        let envelope = try client.open(login)
        #expect(listed.contains(device) && listed.count == 2 && Set(envelope.wrapped.keys) == Set(listed))
        #expect(envelope.keys.names.count == 1)
        try await second.account.contact()
    }

    @Test func `where 32 former keys wait for a device, it can be revoked, and the password changed again`()
        async throws
    {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        let lost = try #require(await second.vault.account).device
        let client = try room.client()
        try await change(client, to: Self.old) { envelope in
            var envelope = envelope
            for _ in 0..<AccountEnvelope.mostFormerKeys { envelope = try envelope.changing() }
            return envelope
        }
        #expect(await refusal { try await first.change(Self.old, Self.new) } == .accountDevicesLag)
        try await first.account.revoke(lost.text, SecretBytes(text: Self.old))
        try await first.change(Self.old, Self.new)
        try await first.unlock(Self.new)
        #expect(try await client.open(client.login(Self.new)).keys.names.count == 1)
    }

    @Test(arguments: ["/v1/devices", "/v1/account/envelope"])
    func `a device whose vault came to nothing is listed no more`(lost path: String) async throws {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        room.wire.loseAnswer(to: path)
        let code = await refusal { _ = try await TestDevice.make(in: room, Self.old, registering: false) }
        #expect(code == .serviceUnreachable)
        room.wire.through(nil)
        #expect(try await first.account.devices(SecretBytes(text: Self.old)).count == 1)
        #expect(try await room.client().open(room.client().login(Self.old)).wrapped.count == 1)
    }

    @Test func `a device that is noted and listed no more is shown, and its key goes when it is revoked by name`()
        async throws
    {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        let lost = try #require(await second.vault.account).device.text
        let password = SecretBytes(text: Self.old)
        try await strike(second, Self.old, in: room)
        let shown = try await first.account.devices(password)
        #expect(shown.map(\.id).last == lost && shown.map { $0.createdAt == nil } == [false, true])
        try await first.account.revoke(lost, password)
        #expect(await refusal { try await second.unlock(Self.old) } == .accountKeyMissing)
        #expect(try await first.account.devices(password).count == 1)
        #expect(await refusal { try await first.account.revoke(lost, password) } == .usage)
    }

    @Test func `a change that somebody on the way sends twice is done, and a closing too`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        // As a proxy does that tries its next upstream: the second answer is a refusal.
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.method == .put && sent.path == "/v1/account/password" || sent.method == .delete {
                _ = forward(sent)
            }
            return forward(sent)
        }
        try await made.change(Self.old, Self.new)
        try await made.unlock(Self.new)
        let strong = try await made.account.unlock(with: SecretBytes(text: Self.new))
        let key = try await made.vault.createRecoveryKey(strong) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(
            SecretBytes(text: key),
            try await made.account.unlock(with: SecretBytes(text: Self.new))
        )
        try await made.account.close(SecretBytes(text: Self.new))
        await failing(.passwordRefused) { try await room.client().login(Self.new) }
    }

    @Test(arguments: [401, 403, 429, 503])
    func `a change that was done is done, whatever refusal somebody on the way makes of its answer`(
        status: Int
    ) async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let code = [403: "LOGIN_OLD", 503: "BUSY"][status] ?? "LOGIN"
        room.wire.answering("/v1/account/password") { _ in .problem(status, code) }
        try await made.change(Self.old, Self.new)
        try await made.unlock(Self.new)
    }

    @Test func `a change that somebody keeps comes to nothing once its owner was told so`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let kept = Mutex<Sent?>(nil)
        room.wire.through { sent, forward throws(TransportFailure) in
            guard sent.path == "/v1/account/password" else { return forward(sent) }
            kept.withLock { $0 = sent }
            throw .lost
        }
        #expect(await refusal { try await made.change(Self.old, Self.new) } == .serviceUnreachable)
        room.wire.through(nil)
        let late = room.answer(try #require(kept.withLock { $0 }))
        #expect(late.status == 409)
        try await made.unlock(Self.old)
        #expect(await refusal { try await made.unlock(Self.new) } == .strongFactorRefused)
    }

    @Test func `an answer of before the change does not say that it was not done`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let before = Mutex<Answer?>(nil)
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.path == "/v1/account/password" {
                before.withLock {
                    $0 = forward(Sent(method: .get, path: "/v1/account", token: sent.token, body: []))
                }
                _ = forward(sent)
                throw .lost
            }
            if sent.path == "/v1/account", let answer = before.withLock({ $0 }) { return answer }
            return forward(sent)
        }
        do {
            try await made.change(Self.old, Self.new)
            Issue.record("done, by an answer of before")
        } catch let error as VaultError {
            #expect(error.code == .serviceUnreachable && error.diagnostic?.contains("former") != true)
        }
        room.wire.through(nil)
        try await made.unlock(Self.new)
    }

    @Test func `a closing that a change elsewhere overtook is none`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let strong = try await made.account.unlock(with: SecretBytes(text: Self.old))
        let key = try await made.vault.createRecoveryKey(strong) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(
            SecretBytes(text: key),
            try await made.account.unlock(with: SecretBytes(text: Self.old))
        )
        let client = try room.client()
        let login = try await client.login(Self.old)
        let new = try AccountPassword.make(SecretBytes(text: Self.new), kdf: AccountRoom.kdf)
        let envelope = try client.open(login).changing()
        let sealed = try envelope.sealed(under: new.envelopeKey, of: client.account, at: AccountRoom.origin)
        let change = try await Self.request(of: client, in: room) {
            _ = try await client.changePassword(
                login.session,
                to: new,
                envelope: sealed,
                replacing: login.envelope,
                policyEpoch: 0
            )
        }
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.method == .delete { _ = forward(change) }
            return forward(sent)
        }
        #expect(await refusal { try await made.account.close(SecretBytes(text: Self.old)) } == .accountChanged)
        room.wire.through(nil)
        try await made.unlock(Self.new)
    }

    /// What a call would send; nothing of it gets there.
    private static func request(
        of client: AccountClient,
        in room: AccountRoom,
        _ body: () async throws -> Void
    ) async throws -> Sent {
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        _ = try? await body()
        room.wire.through(nil)
        return try #require(room.wire.sent.last)
    }

    @Test func `where another device put its envelope first, the owner hears that, and the former password counts`()
        async throws
    {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let client = try room.client()
        let login = try await client.login(Self.old)
        let other = try client.open(login)
            .sealed(under: login.envelopeKey, of: client.account, at: AccountRoom.origin)
        let put = try await Self.request(of: client, in: room) {
            try await client.putEnvelope(login.session, other, replacing: login.envelope)
        }
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.path == "/v1/account/password" { _ = forward(put) }
            return forward(sent)
        }
        #expect(await refusal { try await made.change(Self.old, Self.new) } == .accountChanged)
        room.wire.through(nil)
        try await made.unlock(Self.old)
    }

    @Test func `a device whose name was said to be taken is listed once, under its new one`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let account = try #require(await made.vault.account)
        // As a database that came back from before it was listed; then its listing is done, and answered by a refusal.
        try room.forgetDevices()
        try await made.vault.accept(.deviceRevoked, of: account)
        let isFirst = Mutex(true)
        room.wire.through { sent, forward throws(TransportFailure) in
            let answer = forward(sent)
            guard sent.path == "/v1/devices" else { return answer }
            return isFirst.withLock { first in
                defer { first = false }
                return first ? .problem(409, "DEVICE_TAKEN") : answer
            }
        }
        try await made.unlock(Self.old)
        room.wire.through(nil)
        let device = try #require(await made.vault.account).device
        #expect(device != account.device)
        let client = try room.client()
        let login = try await client.login(Self.old)
        #expect(try await client.account(login.session).devices.map(\.id) == [device])
        #expect(try Set(client.open(login).wrapped.keys) == [device])
    }

    @Test(arguments: [false, true])
    func `a closing that came to nothing says so, also on a device that the service doesn't know`(
        isUnknown: Bool
    ) async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let strong = try await made.account.unlock(with: SecretBytes(text: Self.old))
        let key = try await made.vault.createRecoveryKey(strong) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(
            SecretBytes(text: key),
            try await made.account.unlock(with: SecretBytes(text: Self.old))
        )
        if isUnknown { try room.forgetDevices() }
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.method == .delete { throw .lost }
            return forward(sent)
        }
        #expect(
            await refusal { try await made.account.close(SecretBytes(text: Self.old)) } == .serviceUnreachable
        )
        try await made.unlock(Self.old)
    }

    @Test func `another salt is told where the password was not changed, and not where it was`() async throws {
        let room = try AccountRoom()
        let log = EventLog()
        let made = try await TestDevice.make(in: room, Self.old, registering: true, log: log)
        func open(epoch: UInt64) async throws {
            let proved = try await made.account.prove(SecretBytes(text: Self.old))
            var account = try await made.account.account()
            account.login.saltDigest = RandomBytes.make(32)
            let opening = AccountOpening(keys: proved.envelope.keys.copy(), account: account, policyEpoch: epoch)
            _ = try await made.vault.unlock(with: opening)
        }
        try await open(epoch: 1)
        #expect(!log.tolerated.contains(.accountChanged))
        try await open(epoch: 1)
        #expect(log.tolerated.contains(.accountChanged))
    }

    @Test(.holds("A20", "F-107-09"))
    func `a finger in an older copy is held by the epoch that the login proved which took the copy for the vault`()
        async throws
    {
        let room = try AccountRoom()
        var made = try await TestDevice.make(in: room, Self.old, registering: true)
        try await made.enableBiometrics(Self.old)
        made = try await made.reopened(in: room)
        await made.vault.close()
        let copy = try FolderImage(of: made.folder.file("vault"))
        made = try await made.reopened(in: room)
        try await made.unlock(Self.old)
        _ = try await made.vault.addWallet(named: WalletName("Main"), .opaque(SecretBytes(text: "coins")))
        await made.vault.close()
        // Another client changes the password and keeps the key, so that the copy's slot still opens.
        let client = try room.client()
        try await change(client, to: Self.new) { $0 }
        try copy.restore(to: made.folder.file("vault"))
        let vault = try await AccountVault.open(
            in: made.folder.file("vault"),
            device: made.device,
            over: client.transport,
            patience: 0,
            configuration: TestVault.configuration()
        )
        let strong = try await vault.unlock(with: SecretBytes(text: Self.new))
        #expect(await vault.vault.snapshot.state == .unlocked(.exportOnly))
        try await vault.vault.acceptOlderCopy(OlderCopyConfirmation(typed: OlderCopyConfirmation.phrase), strong)
        await vault.vault.lock()
        _ = try await vault.vault.refresh()
        #expect(await vault.vault.snapshot.biometrics == .revoked(.passwordChanged))
    }
}
