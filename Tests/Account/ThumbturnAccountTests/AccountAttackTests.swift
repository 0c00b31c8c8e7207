import Dispatch
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnAccount

/// What was found to cost coins, or to be weaker than promised, each as whoever found it would try it.
@Suite("Attacks on an account's vault", .serialized) struct AccountAttackTests {
    private static let old = AccountClientTests.old
    private static let new = AccountClientTests.new
    private static let third = "a third password 5 for races"

    @Test(.holds("K-10")) func `a slot that was sealed anew and not noted yet keeps its key in the envelope`()
        async throws
    {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        try await second.change(Self.old, Self.new)
        // The first device seals its slot under the newer key, and every word of that to the service is lost.
        room.wire.through { sent, forward throws(TransportFailure) in
            guard sent.path.hasPrefix("/v1/login") else { throw .lost }
            return forward(sent)
        }
        try await first.unlock(Self.new)
        room.wire.through(nil)
        try await second.change(Self.new, Self.third)
        try await second.unlock(Self.third)
        try await first.unlock(Self.third)
    }

    @Test func `an envelope keeps what is newer than the oldest key that is noted`() throws {
        let (one, two) = (Identifier.make(), Identifier.make())
        let first = try AccountEnvelope.first(for: one)
        let oldest = first.keys.newest
        let both = try first.noting(two, wrappedUnder: oldest).changing().changing()
        let noted = try both.noting(two, wrappedUnder: both.keys.newest)
        #expect(try noted.dropping(whenListed: [one, two]).keys.names.count == 3)
        let done = try noted.noting(one, wrappedUnder: noted.keys.newest)
        #expect(try done.dropping(whenListed: [one, two]).keys.names.count == 1)
    }

    @Test func `a password that was protected better than ours stays so, and its owner is not shut out`() async throws {
        let room = try AccountRoom()
        let client = try room.client()
        let strong = Argon2Parameters(memoryKiB: 70_000, passes: 4)
        let made = try AccountPassword.make(SecretBytes(text: Self.old), kdf: strong)
        try await client.register(made, in: .bits4096, envelope: nil)
        let device = try await TestDevice.make(in: room, Self.old, registering: false)
        try await device.change(Self.old, Self.new)
        try await device.unlock(Self.new)
        let login = try await client.login(Self.new)
        #expect(login.protection.group == .bits4096 && login.protection.cost.memoryKiB == 70_000)
        #expect(login.protection.cost.passes == 4)
    }

    @Test(.holds("A36")) func `a lock that comes while the service is asked wins`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        await made.vault.lock()
        let vault = made.vault
        room.wire.through { sent, forward throws(TransportFailure) in
            let answer = forward(sent)
            if sent.path != "/v1/login" {
                // As a background that comes between: it waits for nobody.
                let isLocked = DispatchSemaphore(value: 0)
                Task.detached {
                    await vault.lock()
                    isLocked.signal()
                }
                isLocked.wait()
            }
            return answer
        }
        #expect(await refusal { try await made.account.unlock(with: SecretBytes(text: Self.old)) } == .locked)
        #expect(await made.vault.snapshot.state == .locked)
        room.wire.through(nil)
        try await made.unlock(Self.old)
    }

    @Test(.holds("F-107-09")) func `a revocation that was cut off can be done once more`() async throws {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        _ = try await TestDevice.make(in: room, Self.old, registering: false)
        let password = SecretBytes(text: Self.old)
        let lost = try #require(try await first.account.devices(password).first { !$0.isThis })
        room.wire.through { sent, forward throws(TransportFailure) in
            if sent.method == .delete { throw .lost }
            return forward(sent)
        }
        #expect(
            await refusal { try await first.account.revoke(lost.id, SecretBytes(text: Self.old)) }
                == .serviceUnreachable
        )
        room.wire.through(nil)
        try await first.account.revoke(lost.id, SecretBytes(text: Self.old))
        try await first.unlock(Self.old)
        let envelope = try await room.client().open(room.client().login(Self.old))
        #expect(envelope.wrapped.count == 1 && envelope.keys.names.count == 1)
    }

    @Test(.holds("A21", "K-10"))
    func `a new master key lies under the key that the envelope keeps, where the login listed the device anew`()
        async throws
    {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        let wallet = try await first.vault.addWallet(named: WalletName("Main"), .opaque(SecretBytes(text: "coins")))
        let client = try room.client()
        try await client.revokeDevice(client.login(Self.old).session, #require(await second.vault.account).device)
        try await first.simulated.delete(#require(await first.vault.account).deviceKey)
        try await first.account.rekey(with: SecretBytes(text: Self.old), recoveryKey: nil)
        try await first.unlock(Self.old)
        let text = try await first.vault.withSecret(of: wallet.id) { _, bytes in bytes.exposedText }
        #expect(text == "coins")
        let envelope = try await client.open(client.login(Self.old))
        #expect(envelope.keys.names.count == 1)
    }

    @Test func `a policy without an account is refused, and nothing is sent`() async throws {
        let room = try AccountRoom()
        let folder = try TemporaryFolder()
        let (device, transport) = (SimulatedDevice().device, try room.client().transport)
        let register = await refusal {
            _ = try await AccountVault.register(
                "ada",
                password: SecretBytes(text: Self.old),
                over: transport,
                in: folder.file("vault"),
                device: device,
                policy: .wallet
            )
        }
        let logIn = await refusal {
            _ = try await AccountVault.logIn(
                "ada",
                password: SecretBytes(text: Self.old),
                over: transport,
                in: folder.file("vault"),
                device: device,
                policy: .wallet
            )
        }
        #expect(register == .usage && logIn == .usage && room.wire.sent.isEmpty)
    }

    @Test(.holds("A50")) func `a word of another service than the head names is none`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        var other = try #require(await made.vault.account)
        other.service = VaultAccount.Service(name: "http://127.0.0.1:1", address: other.service.address)
        try await made.enableBiometrics(Self.old)
        await made.vault.lock()
        try made.simulated.simulate(.advance(.days(6)))
        try await made.vault.accept(.epoch(0), of: other)
        try made.simulated.simulate(.advance(.days(2)))
        _ = try await made.vault.refresh()
        #expect(await made.vault.snapshot.biometrics == .revoked(.serverWordMissing))
    }

    @Test func `a revocation that was asked for before the service moved counts`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        var former = try #require(await made.vault.account)
        former.service = VaultAccount.Service(name: former.service.name, address: "http://127.0.0.1:1")
        try await made.enableBiometrics(Self.old)
        await made.vault.lock()
        try await made.vault.accept(.deviceRevoked, of: former)
        #expect(await made.vault.isOnRevokedDevice)
        #expect(await made.vault.snapshot.biometrics != .enabled)
    }

    @Test func `what a login went by that nobody had verified is not written into the head`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let known = try #require(await made.vault.account)
        var edited = known
        edited.service = VaultAccount.Service(
            name: known.service.name,
            address: known.service.address,
            authority: "/tmp/own.pem",
            pin: "cGlu"
        )
        edited.device = .make()
        let proved = try await made.account.prove(SecretBytes(text: Self.old))
        let opening = AccountOpening(keys: proved.envelope.keys.copy(), account: edited, policyEpoch: 7)
        _ = try await made.vault.unlock(with: opening)
        #expect(await made.vault.account == known)
    }

    @Test func `a device whose key is gone is listed anew at its next login`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let known = try #require(await made.vault.account)
        try await made.simulated.delete(known.deviceKey)
        try await made.unlock(Self.old)
        let renewed = try #require(await made.vault.account)
        #expect(renewed.device != known.device && renewed.deviceKey != known.deviceKey)
        try await made.account.contact()
        let devices = try await made.account.devices(SecretBytes(text: Self.old))
        #expect(devices.map(\.id) == [renewed.device.text])
    }

    @Test func `a device whose key is damaged is listed anew at its next login`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let known = try #require(await made.vault.account)
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            let key = known.deviceKey
            if [.describe(key), .devicePublicKey(key), .sign(key)].contains(call) { throw .damaged }
            return .proceed
        }
        #expect(await refusal { try await made.account.contact() } == .keyMissing)
        try await made.unlock(Self.old)
        let renewed = try #require(await made.vault.account)
        #expect(renewed.device != known.device && renewed.deviceKey != known.deviceKey)
        try await made.account.contact()
        let devices = try await made.account.devices(SecretBytes(text: Self.old))
        #expect(devices.map(\.id) == [renewed.device.text])
    }

    @Test(arguments: [false, true])
    func `where a key is gone the account forgets its former name also when a change or a revocation comes first`(
        revokes: Bool
    ) async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let other = try await TestDevice.make(in: room, Self.old, registering: false)
        let (known, lost) = (try #require(await made.vault.account), try #require(await other.vault.account).device)
        try await made.simulated.delete(known.deviceKey)
        if revokes {
            try await made.account.revoke(lost.text, SecretBytes(text: Self.old))
        } else {
            try await made.change(Self.old, Self.new)
        }
        let renewed = try #require(await made.vault.account).device
        #expect(renewed != known.device)
        let client = try room.client()
        let login = try await client.login(revokes ? Self.old : Self.new)
        let listed = Set(try await client.account(login.session).devices.map(\.id))
        #expect(listed == (revokes ? [renewed] : [renewed, lost]))
        #expect(Set(try client.open(login).wrapped.keys) == listed)
    }

    @Test(.holds("F-107-02", "F-107-09"))
    func `a finger that is enabled under an epoch that nobody proved dies at once`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        let authorization = try await made.account.unlock(with: SecretBytes(text: Self.old))
        try await made.vault.accept(.epoch(1), of: #require(await made.vault.account))
        let consent = BiometricConsent(ownerAgreedAt: made.device.clock())
        try await made.vault.enableBiometrics(consent, authorization)
        #expect(await refusal { try await made.touch() } == .securityEventMissing)
    }

    @Test func `six digits are no account's password`() async throws {
        let room = try AccountRoom()
        let code = await refusal { _ = try await TestDevice.make(in: room, "493817", registering: true) }
        #expect(code == .secretTooWeakForDevice && room.wire.sent.isEmpty)
    }
}
