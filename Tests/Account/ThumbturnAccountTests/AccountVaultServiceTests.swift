import Synchronization
import Testing
import Thumbturn
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnJSON
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnAccount

/// A device of an account: a vault of its own, on a simulated device of its own, at the real service.
struct TestDevice {
    let folder: TemporaryFolder
    let simulated: SimulatedDevice
    let device: Device
    let account: AccountVault

    var vault: Vault { account.vault }

    /// Registers the account, or logs in where there is one.
    static func make(
        in room: AccountRoom,
        _ password: String,
        registering: Bool,
        policy: VaultPolicy = TestVault.accountPolicy,
        log: EventLog = EventLog(),
        at address: String = AccountRoom.origin,
        stretchedBy cost: Argon2Limits = .insecureTest,
        deliversBehind: Bool = false
    ) async throws -> TestDevice {
        let (folder, simulated) = (try TemporaryFolder(), SimulatedDevice())
        var configuration = TestVault.configuration(log, stretchedBy: cost)
        configuration.deliversBehind = deliversBehind
        let device = simulated.device
        let secret = SecretBytes(text: password)
        let transport = try room.client(at: address).transport
        let enrolled =
            registering
            ? try await AccountVault.register(
                "ada",
                password: secret,
                over: transport,
                in: folder.file("vault"),
                device: device,
                policy: policy,
                configuration: configuration
            )
            : try await AccountVault.logIn(
                "ada",
                password: secret,
                over: transport,
                in: folder.file("vault"),
                device: device,
                policy: policy,
                configuration: configuration
            )
        return TestDevice(folder: folder, simulated: simulated, device: device, account: enrolled.account)
    }

    func enableBiometrics(_ password: String) async throws {
        try await account.enableBiometrics(
            BiometricConsent(ownerAgreedAt: device.clock()),
            with: SecretBytes(text: password)
        )
    }

    func touch() async throws {
        await vault.lock()
        try simulated.simulate(.finger(.match))
        try await vault.unlockWithBiometrics(TestVault.words)
    }

    func unlock(_ password: String) async throws {
        await vault.lock()
        try await account.unlock(with: SecretBytes(text: password))
    }

    func change(_ former: String, _ password: String) async throws {
        try await account.changePassword(from: SecretBytes(text: former), to: SecretBytes(text: password))
    }

    /// The same vault through another object, as the next process has it.
    func reopened(
        in room: AccountRoom,
        at address: String = AccountRoom.origin,
        deliversBehind: Bool = false,
        seenAs seen: Device? = nil
    ) async throws -> TestDevice {
        await vault.close()
        var configuration = TestVault.configuration()
        configuration.deliversBehind = deliversBehind
        let opened = try await AccountVault.open(
            in: folder.file("vault"),
            device: seen ?? device,
            over: try room.client(at: address).transport,
            configuration: configuration
        )
        return TestDevice(folder: folder, simulated: simulated, device: seen ?? device, account: opened)
    }
}

nonisolated(nonsending) func refusal(_ body: () async throws -> Void) async -> ErrorCode? {
    do {
        try await body()
        return nil
    } catch { return (error as? VaultError)?.code }
}

@Suite("A vault at the service of its account", .serialized) struct AccountVaultServiceTests {
    private static let old = AccountClientTests.old
    private static let new = AccountClientTests.new

    @Test(.holds("F-107-02", "F-107-04", "F-107-05", "F-107-09"))
    func
        `two devices: the password changes on one, the other's finger dies at its contact, and its vault opens with the new one`()
        async throws
    {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        let wallet = try await second.vault.addWallet(named: WalletName("Main"), .opaque(SecretBytes(text: "coins")))
        try await second.enableBiometrics(Self.old)
        try await second.touch()
        try await first.enableBiometrics(Self.old)

        try await first.change(Self.old, Self.new)
        #expect(await first.vault.snapshot.biometrics == .disabled)
        try await second.touch()
        try await second.account.contact()
        #expect(await second.vault.snapshot.biometrics == .revoked(.passwordChanged))
        #expect(await refusal { try await second.touch() } == .securityEventMissing)
        #expect(await refusal { try await second.unlock(Self.old) } == .strongFactorRefused)
        try await second.unlock(Self.new)
        let text = try await second.vault.withSecret(of: wallet.id) { _, bytes in bytes.exposedText }
        #expect(text == "coins")
        // Each has sealed its slot under the newest key, and the former one is gone from the envelope.
        let login = try await room.client().login(Self.new)
        let envelope = try room.client().open(login)
        #expect(envelope.keys.names.count == 1 && envelope.wrapped.count == 2)
        let again = try await first.reopened(in: room)
        try await again.unlock(Self.new)
    }

    @Test(.holds("F-107-05"))
    func `what answers were lost on the way leaves one password that opens, and the call says which`()
        async throws
    {
        for isDone in [false, true] {
            let room = try AccountRoom()
            let made = try await TestDevice.make(in: room, Self.old, registering: true)
            let isFirst = Mutex(true)
            room.wire.through { sent, forward throws(TransportFailure) in
                guard sent.path == "/v1/account/password",
                    isFirst.withLock({ first in
                        defer { first = false }
                        return first
                    })
                else { return forward(sent) }
                if isDone { _ = forward(sent) }
                throw .lost
            }
            let code = await refusal { try await made.change(Self.old, Self.new) }
            room.wire.through(nil)
            #expect(code == (isDone ? nil : .serviceUnreachable))
            try await made.unlock(isDone ? Self.new : Self.old)
            #expect(await refusal { try await made.unlock(isDone ? Self.old : Self.new) } == .strongFactorRefused)
        }
    }

    @Test func `a registration whose answer was lost is settled by a login, and another's name is refused`()
        async throws
    {
        let room = try AccountRoom()
        room.wire.through { sent, forward throws(TransportFailure) in
            let answer = forward(sent)
            if sent.path == "/v1/accounts" { throw .lost }
            return answer
        }
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        room.wire.through(nil)
        try await made.unlock(Self.old)
        let code = await refusal { _ = try await TestDevice.make(in: room, Self.new, registering: true) }
        #expect(code == .accountNameTaken)
        // The same password once more is the owner, whose first answer was lost.
        _ = try await TestDevice.make(in: room, Self.old, registering: true)
    }

    @Test(.holds("F-107-09"))
    func `a revoked device hears of it, its password opens no more, and the account has a new key`()
        async throws
    {
        let room = try AccountRoom()
        let first = try await TestDevice.make(in: room, Self.old, registering: true)
        let second = try await TestDevice.make(in: room, Self.old, registering: false)
        try await second.enableBiometrics(Self.old)
        let devices = try await first.account.devices(SecretBytes(text: Self.old))
        let lost = try #require(devices.first { !$0.isThis })
        let former = try await room.client().open(room.client().login(Self.old)).keys.newest
        try await first.account.revoke(lost.id, SecretBytes(text: Self.old))
        let envelope = try await room.client().open(room.client().login(Self.old))
        #expect(envelope.keys.newest != former && envelope.wrapped.count == 1)
        #expect(await refusal { try await second.account.contact() } == .securityEventMissing)
        #expect(await second.vault.snapshot.biometrics == .revoked(.serverWordMissing))
        #expect(await refusal { try await first.account.revoke(lost.id, SecretBytes(text: Self.old)) } == .usage)
        #expect(await refusal { try await second.unlock(Self.old) } == .accountKeyMissing)
        try await first.unlock(Self.old)
    }

    @Test
    func
        `an account that was registered without an envelope gets one at the first login, and a device with a slot makes none`()
        async throws
    {
        let room = try AccountRoom()
        _ = try await room.client().register(Self.old, hasEnvelope: false)
        let made = try await TestDevice.make(in: room, Self.old, registering: false)
        try await made.unlock(Self.old)
        try room.forgetEnvelopes()
        let before = room.wire.sent.count
        #expect(await refusal { try await made.unlock(Self.old) } == .accountKeyMissing)
        #expect(room.wire.paths.dropFirst(before).allSatisfy { $0.hasPrefix("/v1/login") })
    }

    @Test(.holds("F-107-09", "A50")) func `the service is asked before the first look, and silence lasts seven days`()
        async throws
    {
        let room = try AccountRoom()
        var made = try await TestDevice.make(in: room, Self.old, registering: true)
        try await made.enableBiometrics(Self.old)
        try made.simulated.simulate(.advance(.days(8)))
        made = try await made.reopened(in: room)
        #expect(await made.vault.snapshot.biometrics == .enabled)
        try made.simulated.simulate(.advance(.days(8)))
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        made = try await made.reopened(in: room)
        #expect(await made.vault.snapshot.biometrics == .revoked(.serverWordMissing))
        #expect(await refusal { try await made.unlock(Self.old) } == .serviceUnreachable)
        room.wire.through(nil)
        try await made.unlock(Self.old)
    }

    @Test(.holds("P-107-02"))
    func `an account's vault is an orchestrator as one with a PIN is, and its record names the user`()
        async throws
    {
        let (room, log) = (try AccountRoom(), EventLog())
        var policy = TestVault.accountPolicy
        policy.biometricFailureLimit = 2
        let made = try await TestDevice.make(in: room, Self.old, registering: true, policy: policy, log: log)
        let contract = OrchestratorContract(
            made.account,
            over: made.vault,
            on: made.simulated,
            log: log,
            secret: Self.old,
            userID: try #require(await made.vault.account).userID.text
        )
        try await contract.check()
    }

    @Test(.holds("B-08", "C5", "F-107-03"), arguments: [false, true])
    func `turning biometrics off asks no service and no password, locked or not`(isLocked: Bool) async throws {
        let (room, log) = (try AccountRoom(), EventLog())
        let made = try await TestDevice.make(in: room, Self.old, registering: true, log: log)
        try await made.enableBiometrics(Self.old)
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        if isLocked { await made.vault.lock() } else { try await made.touch() }
        let sent = room.wire.sent.count
        try await made.account.disableBiometrics(nil, reason: "lent")
        #expect(await made.vault.snapshot.biometrics == .disabled && room.wire.sent.count == sent)
        #expect(log.events.last { $0.kind == .biometricDisabled }?.reason == "lent")
        #expect(await refusal { try await made.touch() } != nil)
        room.wire.through(nil)
        try await made.unlock(Self.old)
        #expect(await made.vault.snapshot.slots.map(\.kind) == [.password])
        try await made.enableBiometrics(Self.old)
        try await made.touch()
    }

    @Test(.holds("B-08", "C5"), arguments: [false, true])
    func `where the policy asks for the password, it turns biometrics off without the service if it opens so`(
        opensOffline: Bool
    ) async throws {
        let room = try AccountRoom()
        var policy = TestVault.accountPolicy
        (policy.requiresSecretToDisable, policy.allowsOfflinePassword) = (true, opensOffline)
        let made = try await TestDevice.make(in: room, Self.old, registering: true, policy: policy)
        try await made.enableBiometrics(Self.old)
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        await made.vault.lock()
        func disable(_ password: String) async -> ErrorCode? {
            await refusal { try await made.account.disableBiometrics(with: SecretBytes(text: password)) }
        }
        #expect(await refusal { try await made.account.disableBiometrics(nil) } == .authorizationExpired)
        #expect(await disable(Self.new) == (opensOffline ? .strongFactorRefused : .serviceUnreachable))
        #expect(await made.vault.snapshot.biometrics == .enabled)
        #expect(await disable(Self.old) == (opensOffline ? nil : .serviceUnreachable))
        #expect(await made.vault.snapshot.biometrics == (opensOffline ? .disabled : .enabled))
        if !opensOffline {
            room.wire.through(nil)
            #expect(await disable(Self.old) == nil)
            #expect(await made.vault.snapshot.biometrics == .disabled)
        }
    }

    @Test(.holds("A50", "F-107-05", "F-107-09"))
    func `a new master key keeps what a login brought, though the former secret could not be deleted`() async throws {
        let room = try AccountRoom()
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        let made = try await TestDevice.make(in: room, Self.old, registering: true, policy: policy)
        try made.simulated.simulate(.fault(.deleteFails))
        let code = await refusal {
            try await made.account.rekey(with: SecretBytes(text: Self.old), recoveryKey: nil)
        }
        #expect(code == .formerSecretRemains)
        try await made.account.contact()
        room.wire.through { _, _ throws(TransportFailure) in throw .unreachable }
        try await made.account.unlockOffline(with: SecretBytes(text: Self.old))
    }

    @Test func `a closed account opens nothing, and the recovery key exports`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        _ = try await made.vault.addWallet(named: WalletName("Main"), .opaque(SecretBytes(text: "coins")))
        #expect(await refusal { try await made.account.close(SecretBytes(text: Self.old)) } == .recoveryKeyRequired)
        let strong = try await made.account.unlock(with: SecretBytes(text: Self.old))
        let key = try await made.vault.createRecoveryKey(strong) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(
            SecretBytes(text: key),
            try await made.account.unlock(with: SecretBytes(text: Self.old))
        )
        try await made.account.close(SecretBytes(text: Self.old))
        #expect(await refusal { try await made.unlock(Self.old) } == .strongFactorRefused)
        try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        #expect(try await made.vault.wallets().count == 1)
        // The name may be another's now: his password opens no vault of the former account.
        _ = try await TestDevice.make(in: room, Self.new, registering: true)
        #expect(await refusal { try await made.unlock(Self.new) } == .accountMismatch)
    }

    @Test(arguments: [false, true])
    func `where an account was closed its password opens nothing offline either`(isAnswerLost: Bool) async throws {
        let room = try AccountRoom()
        var policy = TestVault.accountPolicy
        policy.allowsOfflinePassword = true
        let made = try await TestDevice.make(in: room, Self.old, registering: true, policy: policy)
        let strong = try await made.account.unlock(with: SecretBytes(text: Self.old))
        let key = try await made.vault.createRecoveryKey(strong) { $0.exposedText }
        try await made.vault.confirmRecoveryKey(
            SecretBytes(text: key),
            try await made.account.unlock(with: SecretBytes(text: Self.old))
        )
        await made.vault.lock()
        try await made.account.unlockOffline(with: SecretBytes(text: Self.old))
        if isAnswerLost {
            room.wire.through { sent, forward throws(TransportFailure) in
                let answer = forward(sent)
                if sent.path == "/v1/account", sent.method == .delete { throw .lost }
                return answer
            }
        }
        try await made.account.close(SecretBytes(text: Self.old))
        await made.vault.lock()
        let code = await refusal { try await made.account.unlockOffline(with: SecretBytes(text: Self.old)) }
        #expect(code == .serviceUnreachable)
        try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
    }

    @Test(.holds("INV-107-08", "F-107-06")) func `three strange fingers, and only the service's word opens again`()
        async throws
    {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        try await made.enableBiometrics(Self.old)
        await made.vault.lock()
        for _ in 0..<3 {
            try made.simulated.simulate(.finger(.mismatch))
            #expect(
                await refusal { _ = try await made.vault.unlockWithBiometrics(TestVault.words) }
                    == .biometricsNotRecognised
            )
        }
        #expect(await refusal { try await made.touch() } == .strongFactorRequired)
        try await made.unlock(Self.old)
        try await made.touch()
    }

    @Test(.holds("INV-107-04", "P-107-08", "A49")) func `a finger asks the service for nothing, and holds no token`()
        async throws
    {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, Self.old, registering: true)
        try await made.enableBiometrics(Self.old)
        let before = room.wire.sent.count
        try await made.touch()
        #expect(room.wire.sent.count == before)
    }
}
