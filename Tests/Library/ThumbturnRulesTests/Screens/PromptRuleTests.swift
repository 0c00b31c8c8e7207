import Testing

@testable import ThumbturnRules

@Suite("when a prompt comes up by itself", .holds("A33"))
struct PromptRuleTests {
    private static let unlocked = VaultSnapshot.test(.unlocked(.full))

    @Test(.holds("B-03")) func `once at the start, and not again`() {
        var rule = PromptRule()
        #expect(prompts(&rule, .test()) == true)
        #expect(prompts(&rule, .test(), .test(), .test(.requiresStrongFactor(.cancelled)), .test()) == false)
    }

    @Test func `not before the app is in front and uncovered`() {
        var rule = PromptRule()
        #expect(rule.next(.test(), isInFront: false) == false)
        #expect(rule.next(.test(isCovered: true), isInFront: true) == false)
        #expect(rule.next(.test(), isInFront: true) == true)
    }

    @Test(
        arguments: StrongFactorReason.allCases.map(UnlockDecision.requireStrongFactor) + [
            .storageUnavailable, .resetPending,
        ]
    )
    func `not where the policy forbids it`(decision: UnlockDecision) {
        var rule = PromptRule()
        #expect(prompts(&rule, .test(decision: decision)) == false)
        // It is still to come once the reason has gone.
        #expect(prompts(&rule, .test()) == true)
    }

    @Test(.holds("S-06")) func `the system's prompt follows the same rule`() {
        var rule = PromptRule()
        #expect(prompts(&rule, .test(mode: .system, decision: .promptSystem)) == true)
        #expect(prompts(&rule, .test(.closedUntilReopened, mode: .system), .test(mode: .system)) == false)
    }

    @Test(arguments: [VaultSnapshot.Condition.keyMissing, .ledgerDamaged, .diskFull, .resetPending])
    func `not where it would open nothing`(condition: VaultSnapshot.Condition) {
        var rule = PromptRule()
        #expect(prompts(&rule, .test(condition: condition)) == false)
    }

    @Test(arguments: UnlockMachine.State.samples.filter { $0 != .locked })
    func `nobody is interrupted`(state: UnlockMachine.State) {
        var rule = PromptRule()
        #expect(prompts(&rule, .test(state)) == false)
        #expect(prompts(&rule, .test()) == false, "what was begun by hand ends by hand")
    }

    @Test func `a lock in front of the user waits for a tap`() {
        var rule = PromptRule()
        #expect(prompts(&rule, Self.unlocked, .test(), .test(isCovered: true), .test()) == false)
    }

    @Test func `a lock while the app was away prompts on its return`() {
        var rule = PromptRule()
        #expect(
            prompts(&rule, Self.unlocked, .test(.unlocked(.full), isCovered: true), .test(isCovered: true)) == false
        )
        #expect(prompts(&rule, .test()) == true)
        #expect(prompts(&rule, .test()) == false)
    }

    @Test func `a lock that shows first on the return prompts too`() {
        var rule = PromptRule()
        #expect(prompts(&rule, Self.unlocked, .test(.unlocked(.full), isCovered: true)) == false)
        #expect(prompts(&rule, .test()) == true)
    }

    @Test func `a lock by hand never prompts, wherever the app is`() {
        var rule = PromptRule()
        _ = prompts(&rule, Self.unlocked)
        rule.lockByHand()
        #expect(prompts(&rule, .test(isCovered: true), .test(), .test()) == false)
    }

    @Test func `a lock by hand of what is locked says nothing about the next lock`() {
        var rule = PromptRule()
        _ = prompts(&rule, .test(isCovered: true))
        rule.lockByHand()
        #expect(prompts(&rule, .test()) == false)
        #expect(prompts(&rule, Self.unlocked, .test(isCovered: true)) == false)
        #expect(prompts(&rule, .test()) == true)
    }

    @Test func `proving the PIN again in an open session is no lock`() {
        var rule = PromptRule()
        let proving = VaultSnapshot.test(.verifyingStrongFactor(.localSecret, resuming: .full), isCovered: true)
        #expect(prompts(&rule, Self.unlocked, proving, Self.unlocked) == false)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `at most one prompt to a lock, whatever happens`(seed: UInt64) {
        var generator = SplitMix64(state: seed)
        var rule = PromptRule()
        var locks = 1
        var shown = 0
        var hadSession = false
        for _ in 0..<500 {
            let state = UnlockMachine.State.samples.randomElement(using: &generator) ?? .locked
            if hadSession, !state.hasSession { locks += 1 }
            hadSession = state.hasSession
            if Int.random(in: 0..<10, using: &generator) == 0 { rule.lockByHand() }
            let snapshot = VaultSnapshot.test(state, isCovered: .random(using: &generator))
            if rule.next(snapshot, isInFront: .random(using: &generator)) { shown += 1 }
            #expect(shown <= locks, "seed \(seed)")
        }
    }

    /// Whether any of the snapshots, seen from an app in front, makes a prompt come up.
    private func prompts(_ rule: inout PromptRule, _ snapshots: VaultSnapshot...) -> Bool {
        snapshots.map { rule.next($0, isInFront: true) }.contains(true)
    }
}
