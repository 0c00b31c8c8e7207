import Testing
import ThumbturnRules

@Suite struct SystemModePolicyTests {
    /// Every combination of facts.
    private static let facts: [SystemModeFacts] = UnlockMode.allCases.flatMap { mode in
        Assurance.allCases.flatMap { assurance in
            (0..<16).map { bits in
                var facts = SystemModeFacts(
                    isOffered: bits & 1 != 0,
                    hasRecoveryKey: bits & 2 != 0,
                    mayHavePasscode: bits & 4 != 0,
                    assurance: assurance
                )
                facts.isHalfMigrated = bits & 8 != 0
                facts.mode = mode
                return facts
            }
        }
    }

    @Test(.holds("S-01", "S-04")) func `system mode is enabled with everything in place, and never with less`() {
        for facts in Self.facts {
            let obstacle = VaultPolicy.wallet.obstacleToSystemMode(facts)
            let isFit =
                facts.mode == .local && facts.isOffered && !facts.isHalfMigrated && facts.hasRecoveryKey
                && facts.mayHavePasscode && facts.assurance == .hardwareBound
            #expect((obstacle == nil) == isFit, "\(facts)")
        }
    }

    @Test(.holds("S-04")) func `each obstacle has its own code`() {
        func code(_ change: (inout SystemModeFacts) -> Void) -> ErrorCode? {
            var facts = SystemModeFacts(
                isOffered: true,
                hasRecoveryKey: true,
                mayHavePasscode: true,
                assurance: .hardwareBound
            )
            change(&facts)
            return VaultPolicy.wallet.obstacleToSystemMode(facts)
        }
        #expect(code { _ in } == nil)
        #expect(code { $0.mode = .system } == .systemModeOnly)
        #expect(code { $0.isOffered = false } == .systemModeNotOffered)
        #expect(code { $0.isHalfMigrated = true } == .migrationIncomplete)
        #expect(code { $0.hasRecoveryKey = false } == .recoveryKeyRequired)
        #expect(code { $0.mayHavePasscode = false } == .passcodeMissing)
        #expect(code { $0.assurance = .osKeychain } == .assuranceTooLow)
    }

    @Test(.holds("P-107-01")) func `an account's policy and a server's word exclude system mode`() {
        var heard = VaultPolicy.wallet
        heard.maxOfflineAge = .days(7)
        // A head that was edited, or written by a policy of before, may ask for the mode all the same.
        let now = ClockReading(wall: .days(20_000), boottime: .hours(1), bootID: Identifier(high: 0, low: 1))
        var inSystemMode = UnlockPolicyContext(
            now: now,
            capability: BiometricCapability(
                biometryType: .touchID,
                reasonIfUnavailable: nil,
                assurance: .hardwareBound
            )
        )
        inSystemMode.mode = .system
        #expect(!VaultPolicy.pd107.allowsSystemMode && !heard.allowsSystemMode && VaultPolicy.wallet.allowsSystemMode)
        for policy in [VaultPolicy.pd107, heard] {
            for facts in Self.facts { #expect(policy.obstacleToSystemMode(facts) != nil) }
            #expect(policy.decision(for: inSystemMode) == .requireStrongFactor(.unclassified))
        }
        #expect(VaultPolicy.wallet.decision(for: inSystemMode) == .promptSystem)
    }

    @Test(.holds("C15")) func `by default a finger enables nothing`() {
        #expect(!VaultPolicy.wallet.allowsSystemModeFromBiometrics)
        #expect(!VaultPolicy.pd107.allowsSystemModeFromBiometrics)
    }

    @Test(.holds("S-04", "K-10"))
    func `an app that says where the words are needs no recovery key, and nothing else less`() {
        for preset in [VaultPolicy.wallet, .pd107] { #expect(!preset.allowsSystemModeWithoutRecovery) }
        var declared = VaultPolicy.wallet
        declared.allowsSystemModeWithoutRecovery = true
        for facts in Self.facts {
            var withKey = facts
            withKey.hasRecoveryKey = true
            #expect(declared.obstacleToSystemMode(facts) == VaultPolicy.wallet.obstacleToSystemMode(withKey))
        }
    }

    @Test(
        "the warning says in both languages what is lost and who can open",
        .holds("S-04", "S-05"),
        arguments: SystemModeWarning.allCases
    )
    func warning(warning: SystemModeWarning) {
        let english = warning.sentences(in: .english)
        let french = warning.sentences(in: .french)
        #expect(english.count == french.count && english.count > 1 && Set(english).isDisjoint(with: french))
        for sentence in english + french { #expect(sentence.count > 20 && sentence.last == ".") }
        #expect(english.contains { $0.contains("PIN") } && french.contains { $0.contains("code") })
        #expect(english.contains { $0.contains("passcode") } == (warning != .disabling))
    }
}
