package import Thumbturn
@_spi(InsecureTestParameters) package import ThumbturnCrypto
package import ThumbturnRules

/// A call that changes a vault, to be cut off at every step and to be raced at every wait.
///
/// To add one: a name, what there is before it, and the call. The explorers find out for themselves what the old state is
/// and what the new one, who can open them, and what lies in the store.
package struct CrashTransition: Sendable, CustomStringConvertible {
    package typealias Stage = @Sendable (CrashScene) async throws -> Void

    /// What the process has done when the transition begins.
    package enum Start: Sendable {
        /// Nothing: the transition makes the vault.
        case nothing
        /// It is about to open the vault, in which the transition unlocks.
        case locked
        /// It has a vault open and unlocked.
        case unlocked
    }

    package let name: String
    /// Makes what there is before it.
    package let prepare: Stage
    package let start: Start
    /// Whether it only opens or shows, so that a lock that comes meanwhile leaves nothing of it.
    let yields: Bool
    /// How it ends when nothing gets in its way; nil is well.
    let end: ErrorCode?
    /// Whether an attempt at the PIN is counted on its way.
    let attempts: Bool
    /// Which raise of the anchor on its way, counted from 1, is the attempt's; only where earlier ones show that it counted.
    let attemptRaise: Int?
    /// Today's cost of the slow derivation.
    let argon2: Argon2Limits
    /// What reaches each state between its transactions, from the old one.
    let between: [Stage]
    /// Does it.
    ///
    /// Throws `VaultError`, and nothing else if the library keeps its word.
    package let act: @Sendable (Party) async throws -> Void

    package init(
        _ name: String,
        before prepare: @escaping Stage = { try await $0.furnish() },
        from start: Start = .unlocked,
        yields: Bool = false,
        end: ErrorCode? = nil,
        attempts: Bool = false,
        attemptRaise: Int? = nil,
        argon2: Argon2Limits = .insecureTest,
        between: [Stage] = [],
        act: @escaping @Sendable (Party) async throws -> Void
    ) {
        self.name = name
        self.prepare = prepare
        self.start = start
        self.yields = yields
        self.end = end
        self.attempts = attempts || attemptRaise != nil
        self.attemptRaise = attemptRaise
        self.argon2 = argon2
        self.between = between
        self.act = act
    }

    /// Every transition of the library.
    package static let all = vault

    /// Lets `party` do it; `arm` is called where it begins.
    package func run(_ party: Party, arm: () -> Void = {}) async throws {
        if start == .unlocked { try await party.unlock() }
        arm()
        try await act(party)
    }

    /// Who does it, in a process of its own unless a vault is given.
    package func party(in scene: CrashScene, with vault: Vault? = nil) -> Party {
        var scene = scene
        scene.argon2 = argon2
        return Party(in: scene, with: vault)
    }

    /// Whether `error` is how the transition ends when nothing gets in its way.
    package func isEnd(_ error: VaultError?) -> Bool { error?.code == end }

    package var description: String { name }
}
