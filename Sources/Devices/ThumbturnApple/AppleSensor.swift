import LocalAuthentication
import ThumbturnDevice
import ThumbturnRules

/// The sensor of Apple's devices, and the system's prompt.
struct AppleSensor: OwnerPrompt {
    let keychain: Keychain
    let carrier: Carrier

    func capability() async -> BiometricCapability {
        // The system is asked on a thread that may wait.
        await keychain.run {
            let context = LAContext.quiet()
            defer { context.invalidate() }
            let obstacle = context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics)
            // Valid only after the question, and then also while the sensor is refused or locked out.
            let sensor = BiometricCapability.BiometryType(context.biometryType)
            return BiometricCapability(
                biometryType: sensor,
                reasonIfUnavailable: obstacle.map { BiometricCapability.Reason($0, sensor: sensor) },
                assurance: carrier.assurance
            )
        }
    }

    func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        try await OwnerContext.asking(for: acceptingPasscode ? .anyBiometryOrPasscode : .currentBiometrySet, text) {
            _ in
        }
    }
}
