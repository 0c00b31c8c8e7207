public import ThumbturnRules

/// The sensor and the system's prompt.
public protocol OwnerPrompt: Sendable {
    /// Looks at the sensor now; called at each start and each return to the foreground (B-01).
    func capability() async -> BiometricCapability

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
    public func prompt(_ text: PromptText) async throws(DeviceRefusal) {
        try await prompt(text, acceptingPasscode: false)
    }
}
