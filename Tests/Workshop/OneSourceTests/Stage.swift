import Thumbturn
import ThumbturnSimulator
import ThumbturnTestKit

@testable import OneSource

/// Where the core runs here: on a simulated device, with an owner at its sensor.
struct Stage {
    private let container: TemporaryFolder
    let device: Device

    var home: String { container.path }
    /// The owner agrees now.
    var consent: BiometricConsent { BiometricConsent(ownerAgreedAt: device.clock()) }

    static func make() async throws -> Stage {
        let container = try TemporaryFolder()
        return Stage(
            container: container,
            device: try await .ofThisApp(accessGroup: "TEAM.app", home: container.path)
        )
    }

    /// The owner answers the next prompt.
    func touch() throws { try simulate(.finger(.match)) }

    func enrolAnother() throws { try simulate(.enroll) }

    private func simulate(_ event: SimulatedEvent) throws {
        try SimulatedDevice(folder: home + "/device").simulate(event)
    }
}
