import Thumbturn
import ThumbturnRules
import ThumbturnSimulator

extension InterleavingExplorer {
    /// What else happens.
    package enum Other: Sendable, CustomStringConvertible {
        /// Somebody locks.
        case lock
        /// The app leaves the foreground, and its policy locks then.
        case background
        /// The app comes back.
        case foreground
        /// More time passes than a session stays open unused.
        case idleness
        /// The vault's files are closed.
        case close
        /// Another task of the same process does something with the same vault.
        case task(CrashTransition)
        /// Another process does something.
        case process(CrashTransition)

        /// What can happen to an open vault besides transitions.
        package static let events = [Other.lock, .background, .foreground, .idleness, .close]

        static let done = "done"

        package var description: String {
            switch self {
            case .lock: "lock"
            case .background: "background"
            case .foreground: "foreground"
            case .idleness: "idleness"
            case .close: "close"
            case .task(let transition): "\(transition)"
            case .process(let transition): "process \(transition)"
            }
        }

        /// Whether nobody holds a key any more once it began.
        var locks: Bool {
            switch self {
            case .lock, .background, .close: true
            case .foreground, .idleness, .task, .process: false
            }
        }

        /// Whether it ends a session that was open before.
        var endsSession: Bool {
            if case .idleness = self { true } else { false }
        }

        /// Whether it happens to the vault of the first's process.
        var sharesVault: Bool {
            switch self {
            case .lock, .background, .foreground, .idleness, .close, .task: true
            case .process: false
            }
        }

        /// How it ends when nothing gets in its way.
        var end: String {
            switch self {
            case .lock, .background, .foreground, .idleness, .close: Self.done
            case .task(let transition), .process(let transition): transition.end?.text ?? Self.done
            }
        }

        /// What reaches each state between its transactions.
        var between: [CrashTransition.Stage] {
            switch self {
            case .lock, .background, .foreground, .idleness, .close: []
            case .task(let transition), .process(let transition): transition.between
            }
        }

        /// Whether it counts an attempt at the PIN.
        var attempts: Bool {
            switch self {
            case .lock, .background, .foreground, .idleness, .close: false
            case .task(let transition), .process(let transition): transition.attempts
            }
        }

        /// What else it may come to.
        var otherwise: [CrashTransition.Stage] {
            switch self {
            case .lock, .background, .foreground, .idleness, .close: []
            case .task(let transition), .process(let transition): transition.otherwise + transition.overtaken
            }
        }

        /// What it does, call by call.
        var calls: [CrashTransition.Call] {
            switch self {
            case .lock: [{ try await $0.lock() }]
            case .background: [{ try await $0.vault().enterBackground() }]
            case .foreground: [{ try await $0.comeBack() }]
            case .idleness:
                [
                    { party in
                        // Either is past the limit of its policy.
                        let idle: Milliseconds = .minutes(party.scene.hasAccount ? 31 : 6)
                        try party.scene.device.simulate(.advance(idle))
                        try await party.vault().lockIfIdle()
                    }
                ]
            case .close: [{ await $0.close() }]
            case .task(let transition), .process(let transition): transition.calls
            }
        }
    }
}
