/// Turns biometrics on and off: a `BiometricSettingsObject` whose reads are observed.
@available(iOS 17, macOS 14, visionOS 1, *)
@MainActor public final class BiometricSettingsModel: BiometricSettingsObject {}
