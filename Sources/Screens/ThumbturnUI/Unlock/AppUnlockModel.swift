/// Locks and unlocks one vault for an app: an `AppUnlockObject` whose reads are observed.
@available(iOS 17, macOS 14, visionOS 1, *)
@MainActor public final class AppUnlockModel: AppUnlockObject {}
