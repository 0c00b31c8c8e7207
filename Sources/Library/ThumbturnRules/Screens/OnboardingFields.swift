/// What the first start shows: from a PIN or password to a vault (B-02).
///
/// Contains no secret and nothing derived from one, not even the length of the input.
public struct OnboardingFields: Hashable, Sendable {
    /// The progress towards a vault.
    @nonexhaustive
    public enum Step: Hashable, Sendable {
        /// A PIN or password is asked for.
        case secret
        /// It is asked for again.
        case repeated
        /// "Enable Biometric Unlock?", asked on a device with this sensor; where it can't be enabled, the screen says why
        /// (C9).
        case biometrics(BiometricCapability)
        /// The vault is being made.
        case making
        /// The vault is there, and `error` says why biometrics are not on.
        case withoutBiometrics
        /// The vault is there.
        case done
    }

    /// The progress towards a vault.
    public let step: Step
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// The refusal of the last input or call, until the next one.
    public let error: UserError?
    /// Why biometrics can't be enabled, while that is asked; nil when they can.
    package let obstacle: BiometricCapability.EnablingObstacle?
}

extension OnboardingFields {
    /// The facts that the screen shows.
    public struct Surroundings: Hashable, Sendable {
        /// The progress towards a vault.
        public var step: Step
        /// The policy of the new vault.
        public var policy: VaultPolicy
        /// The kind of device that the vault is made on.
        public var device: DeviceKind
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// The refusal of the last input or call.
        public var refusal: ErrorCode?

        /// Creates the facts from step, policy, device and language; set the others as needed.
        public init(
            step: Step = .secret,
            policy: VaultPolicy = .wallet,
            device: DeviceKind = .simulated,
            language: Language = .english
        ) {
            self.step = step
            self.policy = policy
            self.device = device
            self.language = language
        }
    }

    /// Derives what to show while there is no vault yet.
    public init(_ around: Surroundings) {
        step = around.step
        if case .biometrics(let capability) = step {
            obstacle = capability.obstacle(under: around.policy)
        } else {
            obstacle = nil
        }
        isBusy = around.isBusy
        error = around.refusal.map { code in
            UserError(code, VaultSnapshot(policy: around.policy, device: around.device), in: around.language)
        }
    }
}
