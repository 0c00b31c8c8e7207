import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultCreationTests {
    @Test(.holds("K-01", "K-03")) func `a new vault is open, and its PIN opens it again`() async throws {
        let made = try await TestVault.make()
        #expect(await made.isOpen)
        let slots = try await made.look().slots
        #expect(slots.map(\.kind) == [.localSecret])
        let again = try await made.restarted()
        #expect(await again.state == .locked)
        try await again.strong()
        #expect(await again.isOpen)
    }

    @Test(.holds("B-02")) func `skipping biometrics leaves the PIN alone, and nobody is prompted`() async throws {
        let made = try await TestVault.make()
        #expect(try await made.look().biometrics == .disabled)
        #expect(made.simulated.promptsShown == 0 && made.simulated.counts.saves == 3)
    }

    @Test(.holds("B-02", "K-04")) func `enabling at creation gives both ways in`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try await made.touch()
        #expect(await made.isOpen)
        #expect(made.log.kinds == [.vaultCreated, .biometricEnabled, .biometricSuccess])
    }

    @Test(.holds("B-02"), arguments: [SimulatedFault.saveFails, .droppedAccess, .droppedDeviceOnly, .describeFails])
    func `biometrics that fail at creation leave a vault with its PIN`(fault: SimulatedFault) async throws {
        let folder = try TemporaryFolder()
        let simulated = SimulatedDevice()
        // The first save is the device secret; the fault waits for the second.
        simulated.interceptor = { [weak simulated] call throws(DeviceRefusal) in
            if case .save = call { try simulated?.simulate(.fault(fault)) }
            return .proceed
        }
        let creation = try await Vault.create(
            in: folder.file("vault"),
            device: simulated.device,
            secret: SecretBytes(text: TestVault.pin),
            policy: TestVault.policy,
            biometrics: BiometricConsent(ownerAgreedAt: simulated.device.clock()),
            configuration: TestVault.configuration()
        )
        simulated.interceptor = nil
        #expect(
            creation.biometricsFailure?.code
                == (fault.rawValue.hasPrefix("dropped") ? .protectionDropped : .biometricsNotStored)
        )
        let vault = creation.vault
        await vault.lock()
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        let snapshot = try await vault.refresh()
        #expect(snapshot.biometrics == .disabled && snapshot.slots.count == 1)
    }

    @Test(.holds("A25")) func `where a vault is, none is made`() async throws {
        let made = try await TestVault.make()
        let before = try made.contents()
        let code = await refusal {
            try await Vault.create(
                in: made.path,
                device: made.device,
                secret: SecretBytes(text: "840275"),
                policy: TestVault.policy,
                configuration: TestVault.configuration()
            )
        }
        #expect(code == .vaultExists)
        #expect(try made.contents().head == before.head)
    }

    @Test func `a device that fails while a vault is made leaves no vault, and the next try succeeds`() async throws {
        var codes: [ErrorCode?] = []
        while let code = try await makeVault(failingAt: codes.count + 1) { codes.append(code) }
        // The first call asks for the sensor, whose failure is an answer; the last comes once the vault is committed.
        #expect(codes == [nil] + Array(repeating: .storageUnavailable, count: 11) + [nil])
    }

    /// Makes a vault on a device that fails at one call, and where that makes none, another without a failure.
    ///
    /// - Returns: what making it was refused with; nil, not within, where there were fewer calls.
    private func makeVault(failingAt step: Int) async throws -> ErrorCode?? {
        let folder = try TemporaryFolder()
        let simulated = SimulatedDevice()
        let counter = Counter()
        simulated.interceptor = { _ throws(DeviceRefusal) in
            if counter.next() == step { throw .unavailable }
            return .proceed
        }
        let make = { () async throws(VaultError) in
            try await Vault.create(
                in: folder.file("vault"),
                device: simulated.device,
                secret: SecretBytes(text: TestVault.pin),
                policy: TestVault.policy,
                configuration: TestVault.configuration()
            ).vault
        }
        let code = await refusal { await (try make()).close() }
        guard counter.count >= step else { return nil }
        simulated.interceptor = nil
        let open = { () async throws(VaultError) in
            try await Vault.open(
                in: folder.file("vault"),
                device: simulated.device,
                configuration: TestVault.configuration()
            )
        }
        if code != nil {
            #expect(await refusal { try await open() } == .vaultMissing, "step \(step)")
            await (try make()).close()
        }
        let vault = try await open()
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        #expect(await vault.isOpen, "step \(step)")
        return .some(code)
    }

    @Test(.holds("C14"), arguments: [VaultPolicy.wallet, .wallet.allowing(.softwareFile), .pd107])
    func `on a simulated device no vault is made by a policy that does not name it`(policy: VaultPolicy) async throws {
        let (folder, simulated) = (try TemporaryFolder(), SimulatedDevice())
        let make = { (policy: VaultPolicy) async throws(VaultError) in
            if policy.strongFactor == .localSecret {
                _ = try await Vault.create(
                    in: folder.file("vault"),
                    device: simulated.device,
                    secret: SecretBytes(text: TestVault.pin),
                    policy: policy,
                    configuration: TestVault.configuration()
                )
            } else {
                _ = try await Vault.begin(
                    in: folder.file("vault"),
                    device: simulated.device,
                    policy: policy,
                    configuration: TestVault.configuration()
                )
            }
        }
        #expect(await refusal { try await make(policy) } == .assuranceTooLow)
        #expect(try folder.files().isEmpty && simulated.itemNames().isEmpty)
        try await make(policy.allowing(.simulated))
    }

    @Test(.holds("C14", "A26")) func `nor is one restored there, unless its backup's policy names it`() async throws {
        let phone = SimulatedDevice()
        let keychain = WatchedDevice(phone, worth: { .osKeychain }) { _ in }.device
        let made = try await TestVault.make(policy: .wallet, on: phone, seenAs: keychain)
        let key = try await made.makeRecoveryKey()
        let backup = made.folder.file("backup")
        try await made.vault.backUp(to: backup, try await made.strong())
        let other = SimulatedDevice()
        let restore = { (assurance: Assurance) async throws(VaultError) in
            try await Vault.restore(
                from: backup,
                in: made.folder.file("restored"),
                device: other.device,
                recoveryKey: SecretBytes(text: key),
                newSecret: SecretBytes(text: TestVault.pin),
                allowing: assurance,
                configuration: TestVault.configuration()
            ) { _ in }
        }
        #expect(await refusal { _ = try await restore(.hardwareBound) } == .assuranceTooLow)
        #expect(try other.itemNames().isEmpty)
        #expect(try await restore(.simulated).snapshot.policy.minimumAssurance == .simulated)
    }

    @Test(.holds("F-107-02")) func `an account's policy asks for the account's password`() async throws {
        let folder = try TemporaryFolder()
        let code = await refusal {
            try await Vault.create(
                in: folder.file("vault"),
                device: SimulatedDevice().device,
                secret: SecretBytes(text: TestVault.pin),
                policy: .pd107
            )
        }
        #expect(code == .accountRequired)
        #expect(try folder.files().isEmpty)
    }

    @Test func `a vault opens with the kind of device that it was made on`() async throws {
        let made = try await TestVault.make()
        let other = made.simulated.seen(as: .linux)
        #expect(await refusal { try await made.reopened(seenAs: other) } == .deviceMismatch)
    }

    @Test func `a folder without a vault is no vault`() async throws {
        let folder = try TemporaryFolder()
        let device = SimulatedDevice().device
        #expect(await refusal { try await Vault.open(in: folder.path, device: device) } == .vaultMissing)
        #expect(await refusal { try await Vault.open(in: folder.file("none"), device: device) } == .vaultMissing)
    }
}

extension SimulatedDevice {
    /// The same parts under the name of another kind.
    func seen(as kind: DeviceKind) -> Device {
        let device = self.device
        return Device(
            kind: kind,
            store: device.store,
            prompt: device.prompt,
            anchor: device.anchor,
            clock: device.clock,
            installation: device.installation
        )
    }
}
