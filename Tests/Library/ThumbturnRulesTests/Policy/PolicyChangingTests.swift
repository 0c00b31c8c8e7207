import Testing

@testable import ThumbturnRules

@Suite struct PolicyChangingTests {
    /// One rule, from laxer to stricter.
    private struct Rule: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let set: @Sendable (inout VaultPolicy, _ isStrict: Bool) -> Void

        init(_ name: String, _ set: @escaping @Sendable (inout VaultPolicy, Bool) -> Void) {
            (testDescription, self.set) = (name, set)
        }

        var property: String { String(testDescription.prefix { $0 != "," }) }

        func policy(_ isStrict: Bool, from policy: VaultPolicy = .pd107) -> VaultPolicy {
            var policy = policy
            set(&policy, isStrict)
            return policy
        }
    }

    private static let rules = [
        Rule("locksAfterIdle") { $0.locksAfterIdle = $1 ? .minutes(1) : .hours(1) },
        Rule("locksInBackground") { $0.locksInBackground = $1 },
        Rule("strongFactorAfterIdle") { $0.strongFactorAfterIdle = $1 ? .minutes(1) : .minutes(2) },
        Rule("strongFactorAfterIdle, never") { $0.strongFactorAfterIdle = $1 ? .days(9) : nil },
        Rule("strongFactorMaxAge") { $0.strongFactorMaxAge = $1 ? .days(1) : .days(2) },
        Rule("strongFactorMaxAge, never") { $0.strongFactorMaxAge = $1 ? .days(9) : nil },
        Rule("strongFactorAfterReboot") { $0.strongFactorAfterReboot = $1 },
        Rule("biometricFailureLimit") { $0.biometricFailureLimit = $1 ? 1 : 2 },
        Rule("requiresSecretToDisable") { $0.requiresSecretToDisable = $1 },
        Rule("minimumAssurance") { $0.minimumAssurance = $1 ? .osKeychain : .softwareFile },
        Rule("minimumSecretAssurance") { $0.minimumSecretAssurance = $1 ? .osKeychain : .softwareFile },
        Rule("minimumSecretAssurance, any") { $0.minimumSecretAssurance = $1 ? .simulated : nil },
        Rule("maxOfflineAge") { $0.maxOfflineAge = $1 ? .days(1) : .days(2) },
        Rule("maxOfflineAge, never") { $0.maxOfflineAge = $1 ? .days(99) : nil },
        Rule("recoveryOpensFully") { $0.recoveryOpensFully = !$1 },
        Rule("allowsOfflinePassword") { $0.allowsOfflinePassword = !$1 },
        Rule("allowsSystemModeFromBiometrics") { $0.allowsSystemModeFromBiometrics = !$1 },
        Rule("allowsSystemModeWithoutRecovery") { $0.allowsSystemModeWithoutRecovery = !$1 },
    ]

    @Test(.holds("C14", "C17"), arguments: rules)
    private func `of two policies the stricter one counts, whichever comes first`(rule: Rule) {
        let (strict, lax) = (rule.policy(true), rule.policy(false))
        #expect(strict != lax)
        #expect(strict.stricter(with: lax) == strict && lax.stricter(with: strict) == strict)
        #expect(strict.stricter(with: strict) == strict && lax.stricter(with: lax) == lax)
        let changed = VaultPolicy.Field.all.filter { !$0.isSame(in: strict, and: lax) }.map(\.name)
        #expect(changed == [rule.property])
    }

    @Test func `each rule goes by itself`() {
        for (one, rule) in Self.rules.enumerated() {
            for (other, second) in Self.rules.enumerated() where one != other {
                // The one is strict in the first, the other in the second; two forms of one rule say the same thing.
                guard rule.property != second.property else { continue }
                let first = second.policy(false, from: rule.policy(true))
                let last = second.policy(true, from: rule.policy(false))
                let both = second.policy(true, from: rule.policy(true))
                #expect(first.stricter(with: last) == both, "\(rule.testDescription), \(second.testDescription)")
            }
        }
    }

    @Test func `every rule of a policy has a row, and is tried above`() {
        let names = Mirror(reflecting: VaultPolicy.wallet).children.compactMap(\.label)
        let fields = VaultPolicy.Field.all
        #expect(names.sorted() == (["strongFactor"] + fields.map(\.name)).sorted())
        let tried = Set(Self.rules.map { $0.property })
        #expect(tried == Set(fields.map(\.name)), "a new rule needs a thought about what is stricter")
    }

    @Test(.holds("C6")) func `no policy gets another strong factor`() {
        #expect(VaultPolicy.wallet.mayBecome(.wallet) && VaultPolicy.pd107.mayBecome(.pd107))
        #expect(!VaultPolicy.wallet.mayBecome(.pd107) && !VaultPolicy.pd107.mayBecome(.wallet))
    }

    @Test func `what only a service makes sense of goes with an account`() {
        for set in [
            { $0.maxOfflineAge = .days(30) }, { $0.allowsOfflinePassword = true },
        ] as [(inout VaultPolicy) -> Void] {
            var (wallet, account) = (VaultPolicy.wallet, VaultPolicy.pd107)
            set(&wallet)
            set(&account)
            #expect(!VaultPolicy.wallet.mayBecome(wallet) && VaultPolicy.pd107.mayBecome(account))
        }
    }

    @Test func `a span that nobody could store, or work with, is none`() {
        func takes(_ set: (inout VaultPolicy) -> Void) -> Bool {
            var policy = VaultPolicy.pd107
            set(&policy)
            return VaultPolicy.pd107.mayBecome(policy)
        }
        let century = Milliseconds.days(36_500)
        for bad in [Milliseconds(-1), century + Milliseconds(1), Milliseconds(.max), Milliseconds(.min)] {
            #expect(!takes { $0.locksAfterIdle = bad } && !takes { $0.strongFactorAfterIdle = bad })
            #expect(!takes { $0.strongFactorMaxAge = bad } && !takes { $0.maxOfflineAge = bad })
        }
        for good in [Milliseconds.zero, century] {
            #expect(takes { $0.strongFactorAfterIdle = good } && takes { $0.strongFactorMaxAge = good })
            #expect(takes { $0.maxOfflineAge = good })
        }
        // A session that ends at once could not even change that again.
        #expect(
            !takes { $0.locksAfterIdle = .seconds(10) - Milliseconds(1) } && takes { $0.locksAfterIdle = .seconds(10) }
        )
        #expect(takes { $0.locksAfterIdle = century })
    }
}
