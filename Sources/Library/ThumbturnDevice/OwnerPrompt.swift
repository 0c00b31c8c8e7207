public import ThumbturnRules

/// The sensor and the system's prompt: seed 002 §4.1 `BiometricService`.
///
/// It differs in one thing: `prompt` throws why the owner was not recognised instead of returning `{ok, errorCode}`, so
/// that there is no boolean to flip (C21).
public protocol BiometricService: Sendable {
    /// Checks the sensor now; called at each start and each return to the foreground (B-01).
    func capability() async -> BiometricCapability

    /// Shows the prompt for a finger or face, without the passcode.
    ///
    /// It releases no key, so it never unlocks anything (A29).
    ///
    /// - Throws: why the owner was not recognised.
    func prompt(_ text: PromptText) async throws(DeviceRefusal)
}

/// The sensor and the system's prompt, for a finger, a face, or the device's passcode.
package protocol OwnerPrompt: BiometricService {
    /// Shows the prompt and proves that the owner is present.
    ///
    /// It releases no key, so it never unlocks anything (A29).
    ///
    /// - Parameters:
    ///   - text: the words on the prompt.
    ///   - acceptingPasscode: whether the device's passcode is accepted too; entering it also ends a lockout of the
    ///     sensor.
    /// - Throws: why the owner was not recognised.
    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal)
}

extension OwnerPrompt {
    /// Shows the prompt for a finger or face, without the passcode.
    ///
    /// - Throws: why the owner was not recognised.
    package func prompt(_ text: PromptText) async throws(DeviceRefusal) {
        try await prompt(text, acceptingPasscode: false)
    }
}
