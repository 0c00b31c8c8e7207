/// What the settings show of biometrics: the fields of seed 002's `useBiometricSettings`, and what goes with them (C9).
public struct BiometricSettingsFields: Hashable, Sendable {
    /// The sensor.
    public let capability: BiometricCapability
    /// Whether biometrics are on.
    public let enabled: Bool
    /// Whether a call is under way, or nothing is known yet.
    public let loading: Bool
    /// What the last call was refused with, until the next one.
    public let error: UserError?
    /// Whether there is anything to show: a sensor, or something to turn off; nothing in system mode (S-03).
    public let isShown: Bool
    /// Why biometrics can't be turned on; nil when they can, or are on.
    ///
    /// Turning off always works.
    public let obstacle: BiometricCapability.EnablingObstacle?
    /// Whether turning off asks for the PIN or password.
    public let asksSecretToDisable: Bool
}

extension BiometricSettingsFields {
    /// What is not the vault's to know.
    public struct Surroundings: Hashable, Sendable {
        /// The language of messages.
        public var language: Language
        /// Whether a call is under way.
        public var isBusy = false
        /// What the last call was refused with.
        public var refusal: ErrorCode?

        /// Says in which language the app speaks; change what else differs.
        public init(language: Language = .english) {
            self.language = language
        }
    }

    /// Says what is shown of a vault; nil is one that is being read.
    public init(_ snapshot: VaultSnapshot?, _ around: Surroundings) {
        guard let snapshot else {
            let unknown = BiometricCapability.Reason.temporarilyUnavailable
            capability = BiometricCapability(biometryType: .none, reasonIfUnavailable: unknown, assurance: .simulated)
            (enabled, loading, error, isShown) = (false, true, nil, false)
            (obstacle, asksSecretToDisable) = (.unavailable(unknown), true)
            return
        }
        capability = snapshot.capability
        enabled = snapshot.biometrics == .enabled
        loading = around.isBusy
        error = around.refusal.map { UserError($0, snapshot, in: around.language) }
        isShown = enabled || (capability.supported && snapshot.mode == .local)
        obstacle = enabled ? nil : capability.obstacle(under: snapshot.policy)
        asksSecretToDisable = snapshot.policy.requiresSecretToDisable || snapshot.migration == .half
    }
}
