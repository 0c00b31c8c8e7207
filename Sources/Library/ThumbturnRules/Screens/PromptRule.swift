/// When a prompt comes up without being asked for: once per lock, never after a lock by hand, never again after a cancel (A33).
///
/// Pure, over the snapshots in their order. A lock that happens while the app is in front, by hand or because nobody used
/// it, prompts nobody: whoever is there can tap. One that happened while the app was away prompts on its return.
package struct PromptRule: Hashable, Sendable {
    private var isSpent = false
    private var isLockedByHand = false
    private var hadSession = false
    private var wasAway = false

    /// Nothing was shown yet.
    package init() {}

    /// Takes the next snapshot; true when a prompt is to come up now, and then it counts as shown.
    package mutating func next(_ snapshot: VaultSnapshot, isInFront: Bool) -> Bool {
        let hasSession = snapshot.state.hasSession
        let isAway = snapshot.isCovered || !isInFront
        defer {
            hadSession = hasSession
            wasAway = isAway
        }
        if hadSession, !hasSession {
            isSpent = isLockedByHand || !(wasAway || isAway)
            isLockedByHand = false
        }
        guard !hasSession, snapshot.state == .locked else {
            // Somebody is on it already: another prompt, or a screen that asks for something else.
            isSpent = true
            return false
        }
        guard !isSpent, !isAway, snapshot.condition == .ready, snapshot.decision.prompts else { return false }
        isSpent = true
        return true
    }

    /// The user does something about the lock: from now on only taps prompt.
    package mutating func spend() {
        isSpent = true
    }

    /// The user locks.
    package mutating func lockByHand() {
        isSpent = true
        isLockedByHand = hadSession
    }
}

extension UnlockMachine.State {
    /// Whether a session is open, also while its secret is asked for again.
    package var hasSession: Bool { scope != nil }

    /// What the open session may do; nil while there is none.
    package var scope: SessionScope? {
        switch self {
        case .unlocked(let scope): scope
        case .verifyingStrongFactor(_, let resumed), .promptingSystem(let resumed), .promptingBiometrics(let resumed):
            resumed
        case .locked, .biometricsFailed, .requiresStrongFactor, .closedUntilReopened: nil
        }
    }
}

extension UnlockDecision {
    fileprivate var prompts: Bool {
        switch self {
        case .promptBiometrics, .promptSystem: true
        case .requireStrongFactor, .storageUnavailable, .resetPending: false
        }
    }
}
