import Testing
import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// What a device is worth may change under a vault: a TPM loses its lockout password, or never had what was believed.
@Suite struct VaultWorthTests {
    private static let long = "493817205561"
    private let worth = Shared(Assurance.hardwareBound)

    private func make(policy: VaultPolicy = TestVault.policy) async throws -> TestVault {
        let simulated = SimulatedDevice()
        return try await TestVault.make(
            policy: policy,
            on: simulated,
            seenAs: WatchedDevice(simulated, worth: { [worth] in worth.value }) { _ in }.device
        )
    }

    @Test(.holds("A56")) func `a vault whose device is worth less than before asks for a longer PIN, and still opens`()
        async throws
    {
        let made = try await make()
        #expect(await made.vault.snapshot.assurance == .hardwareBound)
        #expect(await !made.vault.snapshot.asksForLongerSecret)
        await made.vault.lock()

        worth.value = .softwareFile
        let locked = try await made.look()
        #expect(locked.assurance == .softwareFile && locked.asksForLongerSecret)
        _ = try await made.strong()
        #expect(await made.vault.snapshot.asksForLongerSecret)
        let short = await refusal {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        }
        #expect(short == .secretTooWeakForDevice)
        #expect(await made.vault.snapshot.asksForLongerSecret)

        let again = try await made.strong()
        try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.long), again)
        #expect(await !made.vault.snapshot.asksForLongerSecret)
        await made.vault.lock()
        #expect(try await !made.look().asksForLongerSecret)
        _ = try await made.vault.unlock(with: SecretBytes(text: Self.long))
    }

    @Test(.holds("A56")) func `a PIN that is long enough is asked for no longer one, once it has opened`() async throws
    {
        let made = try await make()
        try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.long), try await made.strong())
        await made.vault.lock()
        worth.value = .softwareFile
        #expect(try await made.look().asksForLongerSecret, "its length is not stored anywhere")
        _ = try await made.vault.unlock(with: SecretBytes(text: Self.long))
        #expect(await !made.vault.snapshot.asksForLongerSecret)
        await made.vault.lock()
        worth.value = .hardwareBound
        #expect(try await !made.look().asksForLongerSecret)
    }

    @Test(.holds("A4", "A56"))
    func `a PIN that is too short by now is not sealed anew at a higher cost, and goes on opening`()
        async throws
    {
        let made = try await make()
        await made.vault.close()
        worth.value = .softwareFile
        let dearer = try await Vault.open(
            in: made.path,
            device: made.device,
            configuration: VaultConfiguration(argon2: .insecureTestStronger)
        )
        for _ in 0..<2 {
            _ = try await dearer.unlock(with: SecretBytes(text: TestVault.pin))
            #expect(await dearer.snapshot.asksForLongerSecret)
            #expect(await dearer.snapshot.slots.map(\.assurance) == [.hardwareBound])
            await dearer.lock()
        }
        await dearer.close()
    }

    private static let hardwareOnly: VaultPolicy = {
        var policy = TestVault.policy
        policy.minimumSecretAssurance = .hardwareBound
        return policy
    }()

    @Test(.holds("C14"))
    func `where a policy names a least assurance for the PIN, a vault below it opens with its recovery key alone`()
        async throws
    {
        let made = try await make(policy: Self.hardwareOnly)
        let key = try await made.makeRecoveryKey()
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.policy.minimumSecretAssurance == .hardwareBound)
        try await again.strong()
        await again.vault.lock()
        for worse in [Assurance.osKeychain, .softwareFile] {
            worth.value = worse
            for _ in 1...4 { #expect(await refusal { try await again.strong() } == .assuranceTooLow) }
            #expect(await !again.vault.holdsKey)
            let looked = try await again.look()
            #expect(looked.failedAttempts == 0 && looked.nextAttempt == .allowed)
            try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
            #expect(await again.isOpen)
            let changed = await refusal {
                try await again.vault.changeLocalSecret(
                    to: SecretBytes(text: Self.long),
                    again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
                )
            }
            #expect(changed == .assuranceTooLow)
            await again.vault.lock()
        }
        #expect(await refusal { try await again.guess() } == .strongFactorRefused, "a wrong one counts as ever")
        worth.value = .hardwareBound
        try await again.strong()
    }

    @Test(.holds("C14")) func `and none is made on a device that is worth less`() async throws {
        worth.value = .softwareFile
        let simulated = SimulatedDevice()
        let folder = try TemporaryFolder()
        let device = WatchedDevice(simulated, worth: { [worth] in worth.value }) { _ in }.device
        let code = await refusal {
            _ = try await Vault.create(
                in: folder.file("vault"),
                device: device,
                secret: SecretBytes(text: Self.long),
                policy: Self.hardwareOnly,
                configuration: TestVault.configuration()
            )
        }
        #expect(code == .assuranceTooLow)
        #expect(try simulated.itemNames().isEmpty)
        #expect(VaultPolicy.wallet.minimumSecretAssurance == nil && VaultPolicy.pd107.minimumSecretAssurance == nil)
    }

    @Test(.holds("C14")) func `nobody shuts the owner out by writing such a policy into the head`() async throws {
        let made = try await make()
        try made.editHead { body in
            guard var head = try? Head(parsing: body) else { return }
            head.policy.minimumSecretAssurance = .hardwareBound
            body = head.bytes
        }
        worth.value = .osKeychain
        let again = try await made.restarted()
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("C6"))
    func `what the device is worth when the slot is made decides, not what it was worth when the PIN came`()
        async throws
    {
        let simulated = SimulatedDevice()
        let device = WatchedDevice(
            simulated,
            worth: { [worth] in worth.value },
            follower: { [worth] call in if case .makeDeviceSecret = call { worth.value = .softwareFile } },
            watcher: { _ in }
        ).device
        let folder = try TemporaryFolder()
        let code = await refusal {
            _ = try await Vault.create(
                in: folder.file("vault"),
                device: device,
                secret: SecretBytes(text: TestVault.pin),
                policy: TestVault.policy,
                configuration: TestVault.configuration()
            )
        }
        #expect(code == .secretTooWeakForDevice)
        #expect(try simulated.itemNames().isEmpty, "nothing is left behind")
    }
}
