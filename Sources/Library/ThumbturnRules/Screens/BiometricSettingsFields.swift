/// What the settings show about biometrics: the fields of seed 002's `useBiometricSettings`, and related ones (C9).
public struct BiometricSettingsFields: Hashable, Sendable {
    /// The sensor.
    public let capability: BiometricCapability
    /// Whether biometrics are on.
    public let enabled: Bool
    /// Whether a call is in progress, or the vault is still being read.
    public let loading: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
    /// Whether to show anything: a sensor, or something to turn off; nothing in system mode (S-03).
    public let isShown: Bool
    /// Why biometrics can't be turned on; nil when they can, or are on.
    ///
    /// Turning off always works.
    public let obstacle: BiometricCapability.EnablingObstacle?
    /// Whether turning biometrics off requires the PIN or password.
    public let asksSecretToDisable: Bool
}

extension BiometricSettingsFields {
    /// The facts that the vault does not know.
    public struct Surroundings: Hashable, Sendable {
        /// The language of messages.
        public var language: Language
        /// Whether a call is in progress.
        public var isBusy = false
        /// The refusal of the last call.
        public var refusal: ErrorCode?

        /// Creates the facts from the language; set the others as needed.
        public init(language: Language = .english) { self.language = language }
    }

    /// Derives what to show of a vault; nil is a vault that is still being read.
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
