import Testing
import ThumbturnRules

/// Which warning the settings show before the mode changes.
@Suite struct SystemWarningTests {
    private static let declared: VaultPolicy = {
        var policy = VaultPolicy.wallet
        policy.allowsSystemModeWithoutRecovery = true
        return policy
    }()

    private func warning(_ snapshot: VaultSnapshot) -> SystemModeWarning {
        SystemSettingsFields(snapshot, SystemSettingsFields.Surroundings()).warning
    }

    @Test(.holds("S-04")) func `what it costs is said exactly where no recovery key leads back`() {
        #expect(warning(.test()) == .enabling)
        #expect(warning(.test(hasRecoveryKey: true)) == .enabling)
        #expect(warning(.test(policy: Self.declared)) == .enablingWithoutRecovery)
        #expect(warning(.test(policy: Self.declared, hasRecoveryKey: true)) == .enabling)
    }

    @Test(.holds("S-05")) func `turning it off has a warning of its own, whatever the policy`() {
        #expect(warning(.test(mode: .system, policy: Self.declared)) == .disabling)
        #expect(warning(.test(mode: .system)) == .disabling)
    }
}
