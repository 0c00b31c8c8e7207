import Testing
import ThumbturnRules

/// Visits every state that a former app, a vault and their owner can reach together, takes every step from each, and cuts
/// each step off after every order.
@Suite struct MigrationWalkTests {
    /// Every way in which a former app can have left a wallet, two different ones included.
    private static let beginnings: [FormerWorld] = {
        var worlds: [FormerWorld] = []
        for sealed in [FormerWorld.Sealed.nothing, .first] {
            for biometric in [FormerWorld.Biometric.nothing, .first, .second, .pin] {
                let isNothing = sealed == .nothing && (biometric == .nothing || biometric == .pin)
                if !isNothing { worlds.append(FormerWorld(sealed: sealed, biometric: biometric)) }
            }
        }
        return worlds
    }()

    @Test(.holds("K-06", "K-07", "K-08", "K-09", "K-10", "A24", "A57")) func `every state and cut of a takeover`() {
        var seen = Set(Self.beginnings)
        var ahead = Self.beginnings
        var transitions = 0
        var broken: [String: String] = [:]
        var states: [MigrationMachine.State: Int] = [:]
        while let world = ahead.popLast() {
            states[world.state, default: 0] += 1
            for step in FormerWorld.Step.allCases {
                for cut in 0...4 {
                    var after = world
                    guard let orders = after.take(step, cutAfter: cut), cut <= orders.count else { continue }
                    transitions += 1
                    for law in Self.brokenLaws(from: world, by: step, orders, to: after) where broken[law] == nil {
                        broken[law] = "\(world) — \(step) cut \(cut): \(orders) → \(after)"
                    }
                    if seen.insert(after).inserted { ahead.append(after) }
                }
            }
            for law in Self.brokenPromises(from: world) where broken[law] == nil { broken[law] = "\(world)" }
        }
        let counts = MigrationMachine.State.allCases.map { "\($0) \(states[$0] ?? 0)" }
        print("walk migration: \(seen.count) states (\(counts.joined(separator: ", "))), \(transitions) transitions")
        #expect(broken.isEmpty, "\(broken.map { "\($0): \($1)" }.sorted().joined(separator: "\n"))")
        #expect(states.keys.count == MigrationMachine.State.allCases.count)
        #expect(seen.count >= 450 && transitions >= 4_300, "a walk that shrinks has stopped looking")
    }

    private static func brokenLaws(
        from before: FormerWorld,
        by step: FormerWorld.Step,
        _ orders: [MigrationMachine.Effect],
        to after: FormerWorld
    ) -> [String] {
        var broken: [String] = []
        func demand(_ isKept: Bool, _ law: String) { if !isKept { broken.append(law) } }
        let isOurs: Bool
        switch step {
        case .deleteWallet, .changeEnrolment, .sealAgain, .sealAnother: isOurs = false
        case .givePIN, .givePINKeepingBoth, .givePINTakingNewKey, .giveFinger, .giveFingerAndFirstPIN, .askForChange,
            .eraseAfterUnlock,
            .eraseBehindPrompt, .lock:
            isOurs = true
        }
        if isOurs {
            demand(before.reached.isSubset(of: after.reached), "K-09: a wallet was lost")
            demand(before.reachedByPIN.isSubset(of: after.reachedByPIN), "K-09: a PIN opens less than before")
            demand(before.state.rawValue <= after.state.rawValue, "a migration went back")
        }
        if step == .askForChange {
            demand(
                (orders == [.refuse(.migrationIncomplete)]) == (before.state == .half),
                "A57: a half vault is changed"
            )
        }
        if after.state == .half, before.state == .half, isOurs {
            demand(after.sealed == before.sealed, "A24: what is sealed went before the vault had its PIN")
        }
        if after.state == .half {
            demand(
                after.vault?.hasPIN == false && after.vault?.wallets.count == 1,
                "A57: more than the one wallet is in"
            )
        }
        if isOurs, before.sealed != .nothing, after.sealed == .nothing {
            demand(before.vault?.hasPIN == true, "A24: what is sealed went before the vault had its PIN")
        }
        if isOurs, before.biometric != .nothing, after.biometric == .nothing {
            demand(before.vault != nil && before.isOpen, "what is behind biometrics went before the wallet stood")
        }
        if step == .deleteWallet {
            demand(before.sealed == after.sealed && before.biometric == after.biometric, "K-09: a deletion took a copy")
        } else if after.state == .full, before.state != .full {
            demand(after.biometric == .nothing, "K-09: a raw mnemonic was left")
            demand(after.sealed != before.vault?.mark || after.sealed == .nothing, "K-09: what was sealed was left")
        }
        if before.vault != nil, after.vault?.hasPIN == true, before.vault?.hasPIN == false {
            let givesPIN = step == .givePIN || step == .givePINKeepingBoth || step == .givePINTakingNewKey
            demand(givesPIN, "C15: a finger alone made a PIN")
            if before.vault?.fingerIsAlive == true {
                demand(
                    after.vault?.hasFinger == true || step == .givePINTakingNewKey,
                    "K-08: biometrics went without a word"
                )
            }
        }
        return broken
    }

    /// What must always be possible: the owner gives the PIN and the finger, or the PIN alone and does without the finger,
    /// twice at most, and nothing is left to do.
    private static func brokenPromises(from world: FormerWorld) -> [String] {
        guard world.sealed == .first || world.sealed == .again, world.biometric != .second else { return [] }
        guard world.vault.map({ $0.wallets == [.first] && $0.source != .second }) ?? true else { return [] }
        var broken: [String] = []
        let (withFinger, alone) = (
            [FormerWorld.Step.givePIN, .giveFinger, .givePIN], [FormerWorld.Step.givePINTakingNewKey]
        )
        for given in [withFinger, alone] {
            var world = world
            for _ in 0..<2 {
                for step in [.lock] + given + [.eraseBehindPrompt, .eraseBehindPrompt] {
                    _ = world.take(step, cutAfter: .max)
                }
            }
            if world.state != .full || world.reachedByPIN != [.first] {
                broken.append("K-08: a migration can't be completed by \(given)")
            }
        }
        return broken
    }
}
