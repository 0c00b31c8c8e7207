/// Turns system authentication on and off: a `SystemSettingsObject` whose reads are observed.
@available(iOS 17, macOS 14, visionOS 1, *)
@MainActor public final class SystemSettingsModel: SystemSettingsObject {}
