import Thumbturn
package import ThumbturnSimulator
@_spi(InsecureTestParameters) package import ThumbturnCrypto
import ThumbturnDevice
package import ThumbturnRules

/// A call that changes a vault, to be cut off at every step and to be raced at every wait.
///
/// To add one: a name, what there is before it, and the call. The explorers find out for themselves what the old state is
/// and what the new one, who can open them, and what lies in the store.
package struct CrashTransition: Sendable, CustomStringConvertible {
    package typealias Stage = @Sendable (CrashScene) async throws -> Void
    package typealias Call = @Sendable (Party) async throws -> Void

    /// What the process has done when the transition begins.
    package enum Start: Hashable, Sendable {
        /// Nothing: the transition makes the vault.
        case nothing
        /// It is about to open the vault, in which the transition unlocks.
        case locked
        /// It has a vault open and unlocked.
        case unlocked
        /// It has a credential vault open, and perhaps a prompt has released what lies in it.
        case credentials(unlocked: Bool)

        /// Whether it is about a credential vault.
        package var isOfCredentials: Bool { if case .credentials = self { true } else { false } }
    }

    package let name: String
    /// Makes the device it takes place on.
    package let device: @Sendable () throws -> SimulatedDevice
    /// Makes what there is before it.
    package let prepare: Stage
    package let start: Start
    /// Whether it only opens or shows, so that a lock that comes meanwhile leaves nothing of it.
    let yields: Bool
    /// Whether it is raced with other transitions; not where calls of its own build on each other that are not told apart in
    /// `calls`: between them another transition may rightly lead elsewhere.
    package let races: Bool
    /// Whether it is about a vault that an account's password opens.
    let isOfAccount: Bool
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
    /// What else it may come to, from the old state: where something happens between its calls, or one of its steps fails that
    /// it can do without.
    let otherwise: [Stage]
    /// What else it may come to where another call has done its work meanwhile.
    let overtaken: [Stage]
    /// Its calls one after the other; between two of them anything may happen.
    ///
    /// Each throws `VaultError`, and nothing else if the library keeps its word.
    let calls: [Call]

    package init(
        _ name: String,
        on device: @escaping @Sendable () throws -> SimulatedDevice = { SimulatedDevice() },
        before prepare: @escaping Stage = { try await $0.furnish() },
        from start: Start = .unlocked,
        yields: Bool = false,
        races: Bool = true,
        isOfAccount: Bool = false,
        end: ErrorCode? = nil,
        attempts: Bool = false,
        attemptRaise: Int? = nil,
        argon2: Argon2Limits = .insecureTest,
        between: [Stage] = [],
        otherwise: [Stage] = [],
        overtaken: [Stage] = [],
        act: @escaping Call,
        then: Call? = nil
    ) {
        self.name = name
        self.device = device
        self.prepare = prepare
        self.start = start
        self.yields = yields
        self.races = races
        self.isOfAccount = isOfAccount
        self.end = end
        self.attempts = attempts || attemptRaise != nil
        self.attemptRaise = attemptRaise
        self.argon2 = argon2
        self.between = between
        self.otherwise = otherwise
        self.overtaken = overtaken
        calls = [act] + (then.map { [$0] } ?? [])
    }

    /// What there is before it, made in `root`, an empty folder.
    func scene(in root: String) async throws -> CrashScene {
        let scene = CrashScene(root: root, device: try device())
        try await prepare(scene)
        return scene
    }

    /// Every transition of the library.
    package static let all = vault + system + migration + credentials + account

    /// Whether both have to do with vaults of one kind.
    package func isAkin(to other: CrashTransition) -> Bool {
        (start.isOfCredentials, isOfAccount) == (other.start.isOfCredentials, other.isOfAccount)
    }

    /// Whether it can be raced with another.
    func races(_ other: CrashTransition) -> Bool { races && other.races && isAkin(to: other) }

    /// Does it, call by call.
    package var act: Call {
        { party in for call in calls { try await call(party) } }
    }

    /// Lets `party` do it; `arm` is called where it begins.
    package func run(_ party: Party, arm: () -> Void = {}) async throws {
        try await party.begin(start)
        arm()
        try await act(party)
    }

    /// Who does it, in a process of its own unless somebody is beside it.
    package func party(in scene: CrashScene, beside other: Party? = nil) -> Party {
        var scene = scene
        scene.argon2 = argon2
        return Party(in: scene, beside: other)
    }

    /// Whether `error` is how the transition ends when nothing gets in its way.
    package func isEnd(_ error: VaultError?) -> Bool { error?.code == end }

    package var description: String { name }
}
