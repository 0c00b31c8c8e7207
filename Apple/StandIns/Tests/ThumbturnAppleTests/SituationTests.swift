import StandIn
import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

@testable import ThumbturnApple

/// What can be the matter with a phone, and what has to come back then.
enum Situation: String, CaseIterable, Sendable {
    case fine, cancelled, fallback, notRecognised, lockedOut, lockedOutUnasked, denied, deniedUnasked, notEnrolled
    case noPasscode, setChanged, setChangedReadsAsGarbage, setChangedReadsAsRefused, setChangedRowStays
    case setChangedStaysRefused, leftDuringPrompt, inBackground, locked
    case lockedSaysNotAvailable, bootedAndLocked, reinstalled, restoredElsewhere, daemonGone, unsigned, unknownCode

    /// Lets it happen to the phone, and to the owner's next prompt.
    func happen(to app: App) {
        let phone = app.phone
        switch self {
        case .fine: break
        case .cancelled: phone.script(.cancel)
        case .fallback: phone.script(.fallback)
        case .notRecognised: phone.script(.mismatch, .mismatch)
        case .lockedOut: phone.lockOutBiometry()
        case .lockedOutUnasked:
            phone.quirks.refusesWithoutAsking = true
            phone.lockOutBiometry()
        case .denied: phone.permission = .denied
        case .deniedUnasked:
            phone.quirks.refusesWithoutAsking = true
            phone.permission = .denied
        case .notEnrolled: phone.removeEnrolment()
        case .noPasscode: phone.removePasscode()
        case .setChanged: phone.changeEnrolment()
        case .setChangedReadsAsGarbage: phone.changeEnrolment { $0.revokedStatus = -26275 }
        case .setChangedReadsAsRefused: phone.changeEnrolment { $0.revokedStatus = -25293 }
        case .setChangedRowStays: phone.changeEnrolment { $0.revokedRowVanishes = false }
        case .setChangedStaysRefused:
            phone.changeEnrolment {
                $0.revokedStatus = -25293
                $0.revokedRowVanishes = false
            }
        case .leftDuringPrompt: phone.script(.meanwhile { $0.enterBackground() })
        case .inBackground: phone.enterBackground()
        case .locked: phone.lockScreen()
        case .lockedSaysNotAvailable:
            phone.quirks.classLockedStatus = -25291
            phone.lockScreen()
        case .bootedAndLocked: phone.reboot()
        case .reinstalled: _ = app.happen(.reinstall)
        case .restoredElsewhere: _ = app.happen(.restoreElsewhere)
        case .daemonGone: phone.daemonReachable = false
        case .unsigned:
            let rows = phone.setup
            var setup = rows
            setup.accessGroups = []
            Phone.start(setup)
        case .unknownCode: phone.fail(.evaluate, .refuses(-4_711))
        }
    }

    /// Why the sensor can't be used; nil when it can.
    var capability: BiometricCapability.Reason? {
        switch self {
        case .lockedOut, .lockedOutUnasked: .lockedOut
        case .denied, .deniedUnasked: .permissionDenied
        case .notEnrolled: .notEnrolled
        case .noPasscode: .noPasscode
        default: nil
        }
    }

    /// What a prompt ends with; nil when it passes.
    var prompt: DeviceRefusal? {
        switch self {
        case .cancelled: .cancelledByUser(afterMismatch: false)
        case .fallback: .fallbackChosen
        case .notRecognised: .notRecognised
        case .lockedOut, .lockedOutUnasked: .lockedOut
        case .denied, .deniedUnasked: .hardwareMissing
        case .notEnrolled, .noPasscode: .notEnrolled
        case .leftDuringPrompt, .inBackground, .locked, .lockedSaysNotAvailable, .bootedAndLocked: .cancelledBySystem
        case .unknownCode: .unclassified
        case .fine, .setChanged, .setChangedReadsAsGarbage, .setChangedReadsAsRefused, .setChangedRowStays,
            .setChangedStaysRefused, .reinstalled, .restoredElsewhere, .daemonGone, .unsigned:
            nil
        }
    }

    /// What a read of an item of the current set ends with; nil when it gives the secret.
    var read: DeviceRefusal? {
        switch self {
        case .setChanged, .setChangedReadsAsGarbage, .setChangedReadsAsRefused, .setChangedRowStays: .revoked
        // Who was recognised is refused, and the keychain does not say why.
        case .setChangedStaysRefused: .unclassified
        case .locked, .lockedSaysNotAvailable, .bootedAndLocked, .daemonGone, .unsigned: .unavailable
        case .restoredElsewhere: .absent
        default: prompt
        }
    }

    /// Whether the item is described; nil when nothing can be said.
    var isDescribed: Bool? {
        switch self {
        case .notEnrolled, .noPasscode, .setChanged, .setChangedReadsAsGarbage, .setChangedReadsAsRefused,
            .setChangedRowStays, .restoredElsewhere:
            false
        case .setChangedStaysRefused: nil
        default: isReachable ? true : nil
        }
    }

    /// Whether the keychain can be read at all.
    var isReachable: Bool {
        switch self {
        case .locked, .lockedSaysNotAvailable, .bootedAndLocked, .daemonGone, .unsigned: false
        default: true
        }
    }
}

@Suite("What comes back in each situation", .serialized)
struct SituationTests {
    @Test("of a read", .holds("C21", "INV-107-07"), arguments: Situation.allCases, [Carrier.enclave, .keychain])
    func read(situation: Situation, carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save()
        situation.happen(to: app)
        #expect(await app.refusalOfRead() == situation.read)
        #expect(app.phone.promptsShown <= 1)
        if situation.read == .revoked { #expect(await app.refusalOfRead() == .revoked) }
    }

    @Test(
        "of a description, without a prompt",
        .holds("A25"),
        arguments: Situation.allCases,
        [Carrier.enclave, .keychain]
    )
    func describe(situation: Situation, carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save()
        situation.happen(to: app)
        for _ in 1...2 {
            do {
                let description = try await app.device.store.describe(app.name())
                #expect((description != nil) == situation.isDescribed)
            } catch {
                #expect(error == .unavailable && situation.isDescribed == nil)
            }
        }
        #expect(app.phone.promptsShown == 0)
        // A look deletes nothing, whatever it was told; a row that is dead may go by itself.
        #expect(!app.phone.calls.contains(.itemDelete))
    }

    @Test(
        "of a deletion, without a prompt",
        .holds("B-08"),
        arguments: Situation.allCases,
        [Carrier.enclave, .keychain]
    )
    func delete(situation: Situation, carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save()
        situation.happen(to: app)
        let refusal = await app.refusal { () async throws(DeviceRefusal) in
            try await app.device.store.delete(app.name())
        }
        #expect(refusal == (situation.isReachable ? nil : .unavailable))
        #expect(app.phone.promptsShown == 0)
        if refusal == nil { #expect(app.phone.itemRows.isEmpty) }
    }

    @Test("of a prompt that only proves who is there", .holds("A29"), arguments: Situation.allCases)
    func prompt(situation: Situation) async throws {
        let app = try await App.installed()
        situation.happen(to: app)
        let refusal = await app.refusal { () async throws(DeviceRefusal) in
            try await app.device.prompt.prompt(App.text)
        }
        #expect(refusal == situation.prompt)
    }

    @Test("of a look at the sensor", .holds("C9", "F-107-01"), arguments: Situation.allCases)
    func capability(situation: Situation) async throws {
        let app = try await App.installed()
        situation.happen(to: app)
        let capability = await app.device.prompt.capability()
        #expect(capability.reasonIfUnavailable == situation.capability)
        // Denied or locked out, the phone has a camera for faces all the same: options are shown, not hidden.
        #expect(capability.biometryType == .faceID && capability.supported)
    }

    @Test("without a sensor, biometrics are hidden and nothing can be bound to them", .holds("C9"))
    func noSensor() async throws {
        let app = try await App.installed(PhoneSetup(sensor: .none))
        let capability = await app.device.prompt.capability()
        #expect(!capability.supported && capability.reasonIfUnavailable == .noHardware)
        let refusal = await app.refusal { () async throws(DeviceRefusal) in
            try await app.device.store.save(.sample, as: app.name(), access: .currentBiometrySet)
        }
        #expect(refusal == .hardwareMissing && app.phone.itemRows.isEmpty)
    }

    @Test(
        "behind any biometry or passcode, the passcode helps in a lockout and after a change",
        .holds("A31"),
        arguments: [Carrier.enclave, .keychain]
    )
    func passcode(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.save(1, .anyBiometryOrPasscode)
        app.phone.changeEnrolment()
        app.phone.lockOutBiometry()
        app.phone.script(.passcode)
        #expect(await app.refusalOfRead() == nil)
        app.phone.removePasscode()
        let refusal = await app.refusal { () async throws(DeviceRefusal) in
            try await app.device.store.save(.sample, as: app.name(2), access: .anyBiometryOrPasscode)
        }
        #expect(refusal == .notEnrolled)
    }
}

extension Phone {
    /// Changes the enrolled set on a phone that answers in another way than most.
    func changeEnrolment(_ quirk: (inout Quirks) -> Void) {
        quirk(&quirks)
        changeEnrolment()
    }
}
