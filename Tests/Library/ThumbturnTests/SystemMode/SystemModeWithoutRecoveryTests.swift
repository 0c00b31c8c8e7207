import Testing
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// System authentication where an app declared that its owner holds the words elsewhere.
@Suite struct SystemModeWithoutRecoveryTests {
    private static let policy: VaultPolicy = {
        var policy = TestVault.policy
        policy.allowsSystemModeWithoutRecovery = true
        return policy
    }()

    private func enable(_ made: TestVault, agreeingTo warning: SystemModeWarning, touch: SimulatedTouch = .match)
        async throws
    {
        try made.simulated.simulate(.finger(touch))
        try await made.vault.enableSystemAuthentication(
            TestVault.offer,
            made.consent(to: warning),
            made.strong(),
            provedBy: TestVault.words
        )
    }

    @Test(.holds("S-04")) func `it is turned on, opens, and is left by a new PIN`() async throws {
        let made = try await TestVault.make(policy: Self.policy)
        let wallet = try await made.add("Savings")
        #expect(await made.vault.obstacleToSystemAuthentication(try TestVault.offer) == nil)
        try await enable(made, agreeingTo: .enablingWithoutRecovery)
        await made.vault.lock()
        try await made.system()
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        try await made.disableSystem()
        try await made.open(with: TestVault.newPIN)
    }

    @Test(.holds("K-10")) func `what no prompt has released does not become the only way in`() async throws {
        let made = try await TestVault.make(policy: Self.policy)
        #expect(await refusal { try await enable(made, agreeingTo: .enablingWithoutRecovery, touch: .cancel) } != nil)
        #expect(try await made.look().mode == .local)
        let unproved = await refusal {
            try await made.vault.enableSystemAuthentication(
                TestVault.offer,
                made.consent(to: .enablingWithoutRecovery),
                made.strong()
            )
        }
        #expect(unproved == .recoveryKeyRequired)
        await made.vault.lock()
        try await made.open(with: TestVault.pin)
    }

    @Test(.holds("K-10")) func `what is the only way in is not forbidden`() async throws {
        let made = try await TestVault.make(policy: Self.policy)
        try await enable(made, agreeingTo: .enablingWithoutRecovery)
        func forbid() async throws {
            try await made.vault.setPolicy(made.system()) { $0.allowsSystemModeWithoutRecovery = false }
        }
        #expect(await refusal { try await forbid() } == .recoveryKeyRequired)
        #expect(try await made.look().policy.allowsSystemModeWithoutRecovery)
    }

    @Test(.holds("S-04")) func `the owner agrees to what it costs, and to that alone`() async throws {
        let made = try await TestVault.make(policy: Self.policy)
        #expect(try await made.look().systemModeWarning == .enablingWithoutRecovery)
        for warning in [SystemModeWarning.enabling, .disabling] {
            #expect(await refusal { try await enable(made, agreeingTo: warning) } == .consentMissing)
        }
        _ = try await made.makeRecoveryKey()
        #expect(try await made.look().systemModeWarning == .enabling)
        #expect(await refusal { try await enable(made, agreeingTo: .enablingWithoutRecovery) } == .consentMissing)
        #expect(try await made.look().mode == .local)
        try await enable(made, agreeingTo: .enabling)
    }

    @Test(.holds("C15")) func `a finger does not turn it on, also where it could with a recovery key`() async throws {
        var policy = Self.policy
        policy.allowsSystemModeFromBiometrics = true
        let made = try await TestVault.make(policy: policy, biometrics: true)
        func byFinger(_ warning: SystemModeWarning) async throws {
            try made.simulated.simulate(.finger(.match))
            try await made.vault.enableSystemAuthentication(
                TestVault.offer,
                made.consent(to: warning),
                byBiometrics: TestVault.words
            )
        }
        for warning in SystemModeWarning.allCases {
            #expect(await refusal { try await byFinger(warning) } == .recoveryKeyRequired)
        }
        #expect(try await made.look().mode == .local)
        _ = try await made.makeRecoveryKey()
        try await byFinger(.enabling)
        #expect(try await made.look().mode == .system)
    }

    @Test func `the declaration is lax, so it waits until the PIN is given again`() async throws {
        let made = try await TestVault.make()
        try await made.vault.setPolicy(made.strong()) { $0.allowsSystemModeWithoutRecovery = true }
        #expect(try await !made.look().policy.allowsSystemModeWithoutRecovery)
        #expect(await made.vault.obstacleToSystemAuthentication(try TestVault.offer) == .recoveryKeyRequired)
        try await made.strong()
        #expect(await made.vault.obstacleToSystemAuthentication(try TestVault.offer) == nil)
    }

    @Test(.holds("K-10")) func `a device that loses its passcode takes the vault along, as the warning says`()
        async throws
    {
        let made = try await TestVault.make(policy: Self.policy)
        try await enable(made, agreeingTo: .enablingWithoutRecovery)
        await made.vault.lock()
        try made.simulated.simulate(.passcodeOff)
        #expect(await refusal { try await made.system() } != nil)
        let sentences = SystemModeWarning.enablingWithoutRecovery.sentences(in: .english)
        #expect(sentences.contains { $0.contains("nothing opens the wallet") })
    }
}
