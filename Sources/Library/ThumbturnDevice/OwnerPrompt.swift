public import ThumbturnRules

/// The sensor and the system's prompt: seed 002 §4.1 `BiometricService`.
///
/// It differs in one thing: `prompt` throws why the owner was not recognised instead of answering `{ok, errorCode}`, so
/// that no boolean is there to be flipped (C21).
public protocol BiometricService: Sendable {
    /// Looks at the sensor now; called at each start and each return to the foreground (B-01).
    func capability() async -> BiometricCapability

    /// Shows the prompt for a finger or face; the passcode will not do. It releases no key, so it never unlocks anything
    /// (A29).
    ///
    /// - Throws: why the owner was not recognised.
    func prompt(_ text: PromptText) async throws(DeviceRefusal)
}

/// The sensor and the system's prompt, for a finger, a face, or the device's passcode.
package protocol OwnerPrompt: BiometricService {
    /// Shows the prompt and proves that the owner is present. It releases no key, so it never unlocks anything (A29).
    ///
    /// - Parameters:
    ///   - text: the words on the prompt.
    ///   - acceptingPasscode: whether the device's passcode will do; given, it also ends a lockout of the sensor.
    /// - Throws: why the owner was not recognised.
    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal)
}

extension OwnerPrompt {
    /// Shows the prompt for a finger or face; the passcode will not do.
    ///
    /// - Throws: why the owner was not recognised.
    package func prompt(_ text: PromptText) async throws(DeviceRefusal) {
        try await prompt(text, acceptingPasscode: false)
    }
}
