import ThumbturnRules

/// Visits every state that vault, device and user can reach together, and takes every step from each.
package struct UnlockWalk: Sendable {
    /// What the owner demands, and how far the walk gets then.
    package struct Rules: Sendable {
        package let name: String
        let policy: VaultPolicy
        /// A walk that shrinks has stopped looking.
        let leastStates: Int
        let leastPassages: Int
    }

    package private(set) var states = 0
    package private(set) var passages = 0
    /// What was found wrong: each law that is broken with the first passage that breaks it, and what was not reached.
    package private(set) var findings: [String] = []

    /// Walks to the end.
    package init(under rules: Rules) {
        let start = World(policy: rules.policy)
        var seen: Set<World.Key> = [start.key]
        var ahead = [start]
        var broken: [String: String] = [:]
        while let world = ahead.popLast() {
            for step in world.steps {
                for passage in Self.passages(from: world, by: step) {
                    passages += 1
                    for law in passage.brokenLaws where broken[law] == nil {
                        broken[law] = "\(world.key) — \(step) → \(passage.after.key): \(passage.unlock)"
                    }
                    if seen.insert(passage.after.key).inserted { ahead.append(passage.after) }
                }
            }
        }
        states = seen.count
        findings = broken.map { "\($0): \($1)" }.sorted()
        func expect(_ reached: Bool, _ what: String) { if !reached { findings.append("not reached: \(what)") } }
        expect(states >= rules.leastStates, "\(rules.leastStates) states")
        expect(passages >= rules.leastPassages, "\(rules.leastPassages) passages")
        expect(seen.contains { $0.unlock == .unlocked(.full) && $0.biometrics == .enabled }, "open, with biometrics")
        expect(seen.contains { $0.unlock == .closedUntilReopened }, "closed until it is opened again")
        let hasSystemPrompt = seen.contains { $0.unlock == .promptingSystem(resuming: .full) }
        expect(hasSystemPrompt == rules.policy.allowsSystemMode, "the system's prompt where the policy allows it alone")
    }

    /// The step as it goes when storage works, and where something durable is ordered also when it fails.
    private static func passages(from world: World, by step: World.Step) -> [Passage] {
        let plain = passage(from: world, by: step, storageFails: false)
        let writes =
            plain.unlock.contains(where: \.isWritten)
            || plain.biometrics.contains { effect in
                switch effect {
                case .makeSlot, .restrictSlot, .removeSlot: true
                case .record, .refuse: false
                }
            }
        return writes ? [plain, passage(from: world, by: step, storageFails: true)] : [plain]
    }

    private static func passage(from world: World, by step: World.Step, storageFails: Bool) -> Passage {
        var after = world
        let effects = after.take(step, storageFails: storageFails)
        return Passage(
            before: world,
            step: step,
            after: after,
            unlock: effects.unlock,
            biometrics: effects.biometrics,
            storageFailed: storageFails
        )
    }
}

extension UnlockWalk.Rules {
    /// Those of a wallet, of PD-107, and two that stand for themselves.
    package static let all: [UnlockWalk.Rules] = [
        wallet, pd107,
        UnlockWalk.Rules(name: "reboot alone", policy: rebootAlone, leastStates: 11_350, leastPassages: 1_560_000),
        UnlockWalk.Rules(name: "no demands of time", policy: timeless, leastStates: 11_800, leastPassages: 1_630_000),
    ]

    package static let wallet = UnlockWalk.Rules(
        name: ".wallet",
        policy: .wallet,
        leastStates: 11_600,
        leastPassages: 1_590_000
    )

    package static let pd107 = UnlockWalk.Rules(
        name: ".pd107",
        policy: .pd107,
        leastStates: 15_400,
        leastPassages: 2_190_000
    )

    /// Without limits of time a reboot has to be seen for itself.
    private static let rebootAlone: VaultPolicy = {
        var policy = timeless
        policy.strongFactorAfterReboot = true
        return policy
    }()

    private static let timeless: VaultPolicy = {
        var policy = VaultPolicy.wallet
        policy.strongFactorAfterReboot = false
        policy.strongFactorAfterIdle = nil
        policy.strongFactorMaxAge = nil
        return policy
    }()
}
