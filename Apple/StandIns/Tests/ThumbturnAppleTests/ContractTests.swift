import Foundation
import StandIn
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("The contract of a device, kept by Apple's", .serialized)
struct ContractTests {
    /// What LocalAuthentication can't tell: it reports a cancel, and nothing of what came before it.
    static let undecided: [DeviceContract.Clause: SimulatedEvent] = [
        .mismatchBeforeCancelShows: .finger(.mismatchThenCancel)
    ]

    @Test("behind the Secure Enclave", .holds("B-06", "C14"), arguments: DeviceContract.Clause.allCases)
    func enclave(clause: DeviceContract.Clause) async throws {
        try await check(clause, .enclave)
    }

    @Test("behind the keychain alone", arguments: DeviceContract.Clause.allCases)
    func keychain(clause: DeviceContract.Clause) async throws {
        try await check(clause, .keychain)
    }

    @Test(
        "where nothing can be bound to a set of fingers, everything else holds",
        arguments: DeviceContract.Clause.allCases
    )
    func simulator(clause: DeviceContract.Clause) async throws {
        // The simulator enforces no access control, and has no passcode to ask for.
        if clause == .changedSetRevokes {
            await #expect(throws: DeviceContract.Breach.self) { try await check(clause, .simulated) }
        } else {
            try await check(clause, .simulated)
        }
    }

    private func check(_ clause: DeviceContract.Clause, _ carrier: Carrier) async throws {
        let contract = DeviceContract { ContractDevice(try await App.installed(PhoneSetup(), carrier)) }
        let verdict: DeviceContract.Verdict = Self.undecided[clause].map { .undecided($0) } ?? .kept
        #expect(try await contract.check(clause) == verdict)
    }
}

extension ContractDevice {
    init(_ app: App) {
        self.init(
            device: app.device,
            tells: [.biometryChanged, .protectedDataLeaving, .becameActive],
            simulate: { event in app.happen(event) },
            promptsShown: { Phone.current.promptsShown }
        )
    }
}

extension App {
    /// Lets an event happen to the phone; false when LocalAuthentication has no word for it.
    func happen(_ event: SimulatedEvent) -> Bool {
        switch event {
        case .finger(let touch): return happen(touch)
        case .enroll: phone.changeEnrolment()
        case .unenroll: phone.removeEnrolment()
        case .passcodeOff: phone.removePasscode()
        case .passcodeOn:
            // Turning the passcode off takes the enrolled faces along, so the owner has to begin again.
            phone.setPasscode()
            phone.changeEnrolment()
        case .passcode:
            phone.lockScreen()
            phone.unlockScreen()
        case .lockout: phone.lockOutBiometry()
        case .reboot:
            phone.reboot()
            phone.unlockScreen()
        case .advance(let span): phone.pass(milliseconds: span.count)
        case .sleep(let span): phone.pass(milliseconds: span.count, asleep: true)
        case .clock(let span): phone.moveWallClock(byMilliseconds: span.count)
        case .reinstall:
            phone.reinstallApp()
            try? FileManager.default.removeItem(atPath: container.file("app"))
            try? FileManager.default.createDirectory(atPath: container.file("app"), withIntermediateDirectories: false)
        case .restoreElsewhere: Phone.current = phone.restoredOnNewDevice()
        case .lockDevice: phone.lockScreen()
        case .unlockDevice: phone.unlockScreen()
        case .background: phone.enterBackground()
        case .foreground: phone.enterForeground()
        case .permissionDenied: phone.permission = .denied
        case .permissionGranted: phone.permission = .allowed
        case .sensor(let sensor):
            var setup = phone.setup
            setup.sensor = sensor == .none ? .none : sensor == .touch ? .touchID : .faceID
            Phone.start(setup)
        case .fault: return false
        }
        return true
    }

    private func happen(_ touch: SimulatedTouch) -> Bool {
        switch touch {
        case .match: phone.script(.agrees)
        // Face ID gives up after two tries.
        case .mismatch: phone.script(.mismatch, .mismatch)
        case .cancel: phone.script(.cancel)
        case .mismatchThenCancel: return false
        case .fallback: phone.script(.fallback)
        case .passcode: phone.script(.passcode)
        case .wait: phone.script(.hesitates)
        }
        return true
    }
}
