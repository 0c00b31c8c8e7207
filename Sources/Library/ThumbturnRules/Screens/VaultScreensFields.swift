/// What an app shows of its one vault: the first start, the vault behind its lock, or why neither.
public struct VaultScreensFields: Hashable, Sendable {
    /// What is on the screen.
    @nonexhaustive
    public enum Screen: Hashable, Sendable {
        /// The vault is being looked for.
        case opening
        /// There is no vault, and one is being made.
        case onboarding
        /// There is a vault; its lock decides what is shown.
        case vault
        /// The vault could not be opened now; the next return to the foreground tries again.
        case failed(UserError)
        /// The device can't be used as the app is built: what is missing in its project, for its developer.
        case misconfigured(String)
    }

    /// What is on the screen.
    public let screen: Screen
    /// Whether the way back is shown above the lock screen.
    public let isRecovering: Bool
}

extension VaultScreensFields {
    /// The facts that the screen shows.
    public struct Surroundings: Hashable, Sendable {
        /// Whether there is a vault.
        public var hasVault = false
        /// Whether a vault is being made.
        public var isOnboarding = false
        /// Whether the owner asked for the way back.
        public var isRecovering = false
        /// Why the vault could not be opened.
        public var refusal: ErrorCode?
        /// What is missing in the project.
        public var setupFault: String?
        /// The policy of a new vault.
        public var policy: VaultPolicy
        /// The kind of device, if it is known.
        public var device: DeviceKind
        /// The language of messages.
        public var language: Language

        /// Creates the facts of an app that has just started; set the others as needed.
        public init(policy: VaultPolicy = .wallet, device: DeviceKind = .simulated, language: Language = .english) {
            self.policy = policy
            self.device = device
            self.language = language
        }
    }

    /// Derives what to show.
    public init(_ around: Surroundings) {
        isRecovering = around.hasVault && around.isRecovering
        if around.hasVault {
            screen = .vault
        } else if around.isOnboarding {
            screen = .onboarding
        } else if let fault = around.setupFault {
            screen = .misconfigured(fault)
        } else if let code = around.refusal {
            let none = VaultSnapshot(policy: around.policy, device: around.device)
            screen = .failed(UserError(code, none, in: around.language))
        } else {
            screen = .opening
        }
    }
}
