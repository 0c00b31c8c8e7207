import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnContracts

/// The contracts of seed 002 §4.1.
@Suite struct ContractsTests {
    @Test(.holds("P-107-02")) func `the record of the biometric slot has every field`() async throws {
        let made = try await TestVault.make()
        #expect(try await made.vault.biometricRecord() == nil)
        try made.advance(.hours(1))
        let enabledAt = made.device.clock().wall
        try await made.enableBiometrics()
        try made.advance(.hours(1))
        let record = try #require(try await made.vault.biometricRecord())
        let slot = try made.slot(.biometric)
        #expect(record.version == 1 && record.userId == nil)
        #expect(try await record.deviceId == made.device.installation())
        #expect(record.wrappedUnlockBlob == slot.box && record.wrappedUnlockBlob.count == 60)
        #expect(record.keyId == slot.item && record.createdAt == enabledAt)
        let fields = Mirror(reflecting: record).children.compactMap(\.label)
        #expect(fields == ["version", "userId", "deviceId", "wrappedUnlockBlob", "keyId", "createdAt"])
    }

    @Test(.holds("P-107-02")) func `a vault is an orchestrator, and its five methods do what they say`() async throws {
        var policy = TestVault.policy
        policy.biometricFailureLimit = 2
        let made = try await TestVault.make(policy: policy)
        let contract = OrchestratorContract(
            made.vault,
            over: made.vault,
            on: made.simulated,
            log: made.log,
            secret: TestVault.pin,
            userID: nil
        )
        try await contract.check()
        let facts = await made.vault.state.context(at: made.device.clock())
        #expect(await made.vault.evaluateUnlockPolicy(facts) == made.vault.snapshot.decision)
    }

    @Test(.holds("P-107-02")) func `a device has the two services, and what opens the vault lies behind them`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let biometrics: any BiometricService = made.device.biometricService
        let keychain: any KeychainService = made.device.keychainService
        let capability = await biometrics.capability()
        #expect(try await made.look().capability == capability && capability.available)
        let name = try #require(try await made.vault.biometricRecord()).keyId
        let expected = ItemDescription(access: .currentBiometrySet, staysOnDevice: true)
        #expect(try await made.simulated.describe(name) == expected)
        try made.simulated.simulate(.finger(.match))
        let secret = SlotSecret.biometric(try RandomSecret(loading: await keychain.read(name, prompt: TestVault.words)))
        let opens = try made.slot(.biometric).open(with: secret) != nil
        #expect(opens)
        try await keychain.delete(name)
        await made.vault.lock()
        #expect(await refusal { try await made.touch() } == .biometricsChanged)
    }

    @Test(.holds("B-05")) func `the view of two booleans follows sensor and vault`() async throws {
        let made = try await TestVault.make()
        #expect(await made.vault.snapshot.biometricState == BiometricState(isSupported: true, isEnabled: false))
        try await made.enableBiometrics()
        #expect(try await made.look().biometricState == BiometricState(isSupported: true, isEnabled: true))
    }

    #if os(Linux)
    @Test(.holds("INV-107-04"))
    func `making a vault and opening it in every way reaches no server: it asks for no socket`()
        throws
    {
        let folder = try TemporaryFolder()
        let (said, end) = try TestChild(["live", folder.path, folder.file("device")]).finish()
        #expect(said == ["opened by pin", "opened by finger", "opened by recoveryKey"])
        #expect(end == .exited(0))
        let other = try TestChild(["connect", folder.path, folder.file("device")]).finish()
        #expect(other.lines == ["asks for the network: socket"], "who asks is heard")
    }
    #endif
}
