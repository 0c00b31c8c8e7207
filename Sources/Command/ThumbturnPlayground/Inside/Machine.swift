import Thumbturn
import ThumbturnJSON
import ThumbturnRules

/// A machine of the rules as a diagram: the names of its states, and which one it is in.
///
/// A new state of the rules does not compile until it has a name here; a test finds one that has no box of its own.
struct Machine {
    let name: String
    let states: [String]
    let now: String

    var json: JSON {
        ["name": .string(name), "now": .string(now), "states": .array(states.map(JSON.string))]
    }

    /// The machines of a vault, in its present state.
    static func all(of snapshot: VaultSnapshot) -> [Machine] {
        [
            Machine(UnlockBox.self, name: "unlock", now: UnlockBox(snapshot.state)),
            Machine(BiometricsBox.self, name: "biometrics", now: BiometricsBox(snapshot.biometrics)),
            Machine(MigrationBox.self, name: "migration", now: MigrationBox(snapshot.migration)),
            Machine(AttemptsBox.self, name: "attempts", now: AttemptsBox(snapshot.nextAttempt)),
        ]
    }

    /// The machine of a credential vault, which has names of its own.
    init(of state: CredentialVaultMachine.State) {
        (name, now) = ("credentials", state.name)
        states = CredentialVaultMachine.State.allCases.map(\.name)
    }

    private init<Box: RawRepresentable & CaseIterable>(_ boxes: Box.Type, name: String, now: Box)
    where Box.RawValue == String {
        (self.name, self.now) = (name, now.rawValue)
        states = boxes.allCases.map(\.rawValue)
    }
}

/// The boxes of `UnlockMachine`.
enum UnlockBox: String, CaseIterable {
    case locked, promptingBiometrics, biometricsFailed, requiresStrongFactor, verifyingStrongFactor, promptingSystem
    case closedUntilReopened, unlocked

    init(_ state: UnlockMachine.State) {
        self =
            switch state {
            case .locked: .locked
            case .promptingBiometrics: .promptingBiometrics
            case .biometricsFailed: .biometricsFailed
            case .requiresStrongFactor: .requiresStrongFactor
            case .verifyingStrongFactor: .verifyingStrongFactor
            case .promptingSystem: .promptingSystem
            case .closedUntilReopened: .closedUntilReopened
            case .unlocked: .unlocked
            }
    }
}

/// The boxes of `BiometricLifecycle`.
enum BiometricsBox: String, CaseIterable {
    case disabled, enabling, enabled, revoked

    init(_ state: BiometricLifecycle.State) {
        self =
            switch state {
            case .disabled: .disabled
            case .enabling: .enabling
            case .enabled: .enabled
            case .revoked: .revoked
            }
    }
}

/// The boxes of `MigrationMachine`.
enum MigrationBox: String, CaseIterable {
    case legacy, half, erasing, full

    init(_ state: MigrationMachine.State) {
        self =
            switch state {
            case .legacy: .legacy
            case .half: .half
            case .erasing: .erasing
            case .full: .full
            }
    }
}

/// The boxes of the schedule's decision.
enum AttemptsBox: String, CaseIterable {
    case allowed, wait, suspended

    init(_ decision: AttemptDecision) {
        self =
            switch decision {
            case .allowed: .allowed
            case .wait: .wait
            case .suspended: .suspended
            }
    }
}
