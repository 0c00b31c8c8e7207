/// Decides when a prompt appears without a request: once per lock, never after a manual lock, never again after a
/// cancel (A33).
///
/// Pure, over the snapshots in order. A lock while the app is in front, manual or by idle time, does not prompt; the
/// user can tap. A lock while the app was away prompts on its return.
package struct PromptRule: Hashable, Sendable {
    private var isSpent = false
    private var isLockedByHand = false
    private var hadSession = false
    private var wasAway = false

    /// Starts before the first snapshot.
    package init() {}

    /// Handles the next snapshot; returns true when a prompt should appear now, which then counts as shown.
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
            // Another prompt, or a screen that asks for something else, is already handling it.
            isSpent = true
            return false
        }
        guard !isSpent, !isAway, snapshot.condition == .ready, snapshot.decision.prompts else { return false }
        isSpent = true
        return true
    }

    /// Records that the user acts on the lock: from now on only taps prompt.
    package mutating func spend() { isSpent = true }

    /// Records a manual lock.
    package mutating func lockByHand() {
        isSpent = true
        isLockedByHand = hadSession
    }
}

extension UnlockMachine.State {
    /// Whether a session is open, including while its secret is asked for again.
    package var hasSession: Bool { scope != nil }

    /// The scope of the open session; nil while there is none.
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
