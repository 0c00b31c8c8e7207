import LocalAuthentication
import ThumbturnDevice
import ThumbturnRules

struct AppleSensor: OwnerPrompt {
    let keychain: Keychain
    let carrier: Carrier

    func capability() async -> BiometricCapability {
        // On the queue that may block, because the system may take long to answer.
        await keychain.run {
            let context = LAContext.quiet()
            defer { context.invalidate() }
            let obstacle = context.obstacle(to: .deviceOwnerAuthenticationWithBiometrics)
            // Valid only after the query, and then even while the sensor is denied or locked out.
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
