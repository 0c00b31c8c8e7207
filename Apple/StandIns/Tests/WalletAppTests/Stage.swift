import StandIn
import Thumbturn
import ThumbturnTestKit

@testable import WalletApp

/// Where the core runs here: on an iPhone of stand-ins, with an owner at its sensor.
struct Stage {
    private let container: TemporaryFolder
    let device: Device

    var home: String { container.path }
    /// The owner agrees now.
    var consent: BiometricConsent { BiometricConsent(ownerAgreedAt: device.clock()) }

    static func make() async throws -> Stage {
        // This process has no Info.plist, without which Face ID is refused.
        Phone.start(PhoneSetup(sensor: .touchID))
        let container = try TemporaryFolder()
        return Stage(
            container: container,
            device: try await .ofThisApp(accessGroup: "TEAM.app", home: container.path)
        )
    }

    /// The owner answers the next prompt, as is their habit.
    func touch() throws {}

    func enrolAnother() throws { Phone.current.changeEnrolment() }
}
