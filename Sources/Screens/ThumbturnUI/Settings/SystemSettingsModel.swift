public import Observation

/// Turns system authentication on and off: a `SystemSettingsObject` whose reads are observed.
@available(iOS 17, macOS 14, visionOS 1, *)
@MainActor public final class SystemSettingsModel: SystemSettingsObject, Observable {
    private let registrar = ObservationRegistrar()

    /// The present state of the screen.
    public internal(set) override var fields: SystemSettingsFields {
        get {
            registrar.access(self, keyPath: \.fields)
            return super.fields
        }
        set { registrar.withMutation(of: self, keyPath: \.fields) { super.fields = newValue } }
    }
}
