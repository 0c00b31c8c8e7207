import Testing
import ThumbturnRules

/// Visits every state that vault, device and user can reach together, and takes every step from each.
@Suite struct UnlockWalkTests {
    struct Rules: Sendable, CustomTestStringConvertible {
        let name: String
        let policy: VaultPolicy
        /// A walk that shrinks has stopped looking.
        let leastStates: Int
        let leastPassages: Int

        var testDescription: String { name }
    }

    static let rules: [Rules] = [
        Rules(name: ".wallet", policy: .wallet, leastStates: 6_700, leastPassages: 790_000),
        Rules(name: ".pd107", policy: .pd107, leastStates: 9_000, leastPassages: 1_040_000),
        Rules(name: "reboot alone", policy: rebootAlone, leastStates: 6_500, leastPassages: 770_000),
        Rules(name: "no demands of time", policy: timeless, leastStates: 7_100, leastPassages: 840_000),
    ]

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

    @Test(
        "every reachable state",
        .holds(
            "INV-107-01",
            "INV-107-07",
            "INV-107-08",
            "INV-107-09",
            "P-107-01",
            "S-06",
            "A33",
            "A34",
            "A36",
            "B-08",
            "C3",
            "C7",
            "C16"
        ),
        arguments: rules
    )
    func everyReachableState(rules: Rules) {
        let start = World(policy: rules.policy)
        var seen: Set<World.Key> = [start.key]
        var ahead = [start]
        var passages = 0
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
        print("walk \(rules.name): \(seen.count) states, \(passages) transitions")
        #expect(broken.isEmpty, "\(broken.map { "\($0): \($1)" }.sorted().joined(separator: "\n"))")
        #expect(seen.count >= rules.leastStates)
        #expect(passages >= rules.leastPassages)
        #expect(seen.contains { $0.unlock == .unlocked(.full) && $0.biometrics == .enabled })
        #expect(seen.contains { $0.unlock == .closedUntilReopened })
        #expect(seen.contains { $0.unlock == .promptingSystem(resuming: .full) } == rules.policy.allowsSystemMode)
    }

    /// The step as it goes when storage works, and where something durable is ordered also when it fails.
    private static func passages(from world: World, by step: World.Step) -> [Passage] {
        let plain = passage(from: world, by: step, storageFails: false)
        let writes =
            plain.unlock.contains(where: \.isDurable)
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
