public import Observation

/// Turns biometrics on and off: a `BiometricSettingsObject` whose reads are observed.
@available(iOS 17, macOS 14, visionOS 1, *)
@MainActor public final class BiometricSettingsModel: BiometricSettingsObject, Observable {
    private let registrar = ObservationRegistrar()

    /// The present state of the screen.
    public internal(set) override var fields: BiometricSettingsFields {
        get {
            registrar.access(self, keyPath: \.fields)
            return super.fields
        }
        set { registrar.withMutation(of: self, keyPath: \.fields) { super.fields = newValue } }
    }
}
