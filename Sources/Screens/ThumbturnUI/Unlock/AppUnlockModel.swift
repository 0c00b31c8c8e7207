public import Observation

/// Locks and unlocks one vault for an app: an `AppUnlockObject` whose reads are observed.
@available(iOS 17, macOS 14, visionOS 1, *)
@MainActor public final class AppUnlockModel: AppUnlockObject, Observable {
    private let registrar = ObservationRegistrar()

    /// The present state of the screen.
    public internal(set) override var fields: AppUnlockFields {
        get {
            registrar.access(self, keyPath: \.fields)
            return super.fields
        }
        set { registrar.withMutation(of: self, keyPath: \.fields) { super.fields = newValue } }
    }
}
