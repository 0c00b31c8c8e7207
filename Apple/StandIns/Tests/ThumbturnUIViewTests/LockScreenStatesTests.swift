import SwiftUI
import Testing
import Thumbturn
import ThumbturnRules

@testable import ThumbturnUI

/// Every screen that the facts of a vault and of its app can lead to.
@MainActor @Suite("The lock screen in every state", .timeLimit(.minutes(2)))
struct LockScreenStatesTests {
    @Test(.holds("P-107-04"), arguments: ["en", "fr"]) func `none is empty, and none holds its owner without a way on`(
        locale: String
    ) throws {
        var seen: Set<String> = []
        let exits = LockExits(newWallet: {}, cannotOpen: {})
        for fields in Self.reachable {
            let model = AppUnlockObject(showing: VaultSnapshot(), secret: .pin(length: 6))
            model.fields = fields
            let window = Window(LockScreen(model, exits: exits), locale: locale)
            let name = Self.name(of: fields.screen)
            seen.insert(name)
            let below = window.screen.split(separator: "\n").dropFirst(2)
            #expect(!below.isEmpty, "\(name)")
            #expect(below.contains("(busy)") || window.screen.contains("["), "\(name): \(window.screen)")
            #expect(window.unlabelled == [] && window.smallControls == [], "\(name)")
            #expect(!window.screen.contains("⟨"), "\(name): \(window.screen)")
            let asks = "[\(Words.cannotOpen.in(Language(locale: locale)))]"
            #expect(window.screen.contains(asks) == fields.leadsOut, "\(name)")
        }
        #expect(
            seen == [
                "opening", "content", "offer", "completion", "olderCopy", "prompt", "secret", "system", "reopen",
                "wait", "recovery", "reset", "erased",
            ]
        )
    }

    @Test func `an app that names no such exit shows none`() {
        let model = AppUnlockObject(showing: VaultSnapshot(), secret: .pin(length: 6))
        shows(Window(LockScreen(model)), "(lock.fill)\nLocked\nEnter your PIN\n" + pad("○○○○○○"))
    }

    /// All combinations of the facts that decide what is on the screen.
    private static var reachable: [AppUnlockFields] {
        let states: [UnlockMachine.State] = [
            .locked, .promptingBiometrics(resuming: nil), .promptingSystem(resuming: nil), .closedUntilReopened,
            .requiresStrongFactor(.idle), .biometricsFailed, .unlocked(.full), .unlocked(.exportOnly),
        ]
        let conditions: [VaultSnapshot.Condition] = [.ready, .keyMissing, .ledgerDamaged, .diskFull, .resetPending]
        let attempts: [AttemptDecision] = [.allowed, .wait(.minutes(5)), .suspended]
        var all = [AppUnlockFields(nil, around)]
        for state in states {
            for condition in conditions {
                for attempt in attempts {
                    for mode in [UnlockMode.local, .system] {
                        all += fields(state, condition, attempt, mode)
                    }
                }
            }
        }
        // Of the same question and message one is enough.
        let distinct = Dictionary(all.map { ("\($0.screen) \($0.notice?.code ?? "")", $0) }) { first, _ in first }
        return Array(distinct.values)
    }

    private static let around = AppUnlockFields.Surroundings(phase: .active)

    private static func fields(
        _ state: UnlockMachine.State,
        _ condition: VaultSnapshot.Condition,
        _ attempt: AttemptDecision,
        _ mode: UnlockMode
    ) -> [AppUnlockFields] {
        let plain = VaultSnapshot(condition: condition, mode: mode, state: state, nextAttempt: attempt)
        let half = VaultSnapshot(condition: condition, state: state, migration: .half, nextAttempt: attempt)
        let older = VaultSnapshot(condition: condition, state: state, isOlderCopy: true, nextAttempt: attempt)
        var offering = around
        offering.hasOffer = true
        var erased = around
        erased.isErased = true
        var all = [around, offering, erased].map { AppUnlockFields(plain, $0) }
        for step in [CompletionStep.secret, .newSecret, .walletName, .withoutBiometrics] {
            var asking = around
            asking.completion = step
            all.append(AppUnlockFields(half, asking))
        }
        for step in [OlderCopyStep.question, .secret] {
            var asking = around
            asking.olderCopy = step
            all.append(AppUnlockFields(older, asking))
        }
        return all
    }

    /// The case without its value.
    private static func name(of screen: AppUnlockFields.Screen) -> String {
        String("\(screen)".prefix { $0 != "(" })
    }
}
