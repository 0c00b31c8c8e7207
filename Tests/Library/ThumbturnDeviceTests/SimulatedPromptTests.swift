import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@Suite("A simulated prompt that waits", .timeLimit(.minutes(5)))
struct SimulatedPromptTests {
    let device = SimulatedDevice()

    init() async throws {
        device.promptsWait = true
        try await device.save(.sample(), as: .sample(), access: .currentBiometrySet)
        try await device.save(.sample(), as: .sample(2), access: .anyBiometryOrPasscode)
    }

    static let ends: [(String, DeviceRefusal?)] = [
        ("finger match", nil), ("finger mismatch", .notRecognised),
        ("finger cancel", .cancelledByUser(afterMismatch: false)),
        ("finger mismatch-cancel", .cancelledByUser(afterMismatch: true)), ("finger fallback", .fallbackChosen),
        ("finger passcode", .fallbackChosen),
    ]

    @Test(.holds("C7"), arguments: ends)
    func `the next touch ends it as a queued one would`(touch: String, refusal: DeviceRefusal?) async throws {
        let reading = try await device.waitingRead()
        try device.simulate(touch)
        #expect(try await reading.value == refusal)
        #expect(device.promptsShown == 1 && device.snapshot.prompt == nil && device.snapshot.touches.isEmpty)
    }

    @Test func `a touch that was queued ends a prompt at once, also where prompts wait`() async throws {
        for (touch, refusal) in Self.ends {
            try device.simulate(touch)
            #expect(try await device.refusalOfRead() == refusal)
        }
        #expect(device.promptsShown == Self.ends.count)
    }

    @Test func `where prompts don't wait, one that is told to does, and leaves what was queued to later prompts`()
        async throws
    {
        device.promptsWait = false
        for touch in ["finger wait", "finger mismatch", "finger cancel"] { try device.simulate(touch) }
        let reading = try await device.waitingRead()
        #expect(device.snapshot.touches == [.mismatch, .cancel])
        try device.simulate("finger match")
        #expect(try await reading.value == nil)
        #expect(try await device.refusalOfRead() == .notRecognised)
        #expect(try await device.refusalOfRead() == .cancelledByUser(afterMismatch: false))
        #expect(try await device.refusalOfRead() == .cancelledBySystem)
    }

    @Test func `one that is told to wait goes on waiting`() async throws {
        let reading = try await device.waitingRead()
        try device.simulate("finger wait")
        await until { device.snapshot.touches.isEmpty }
        #expect(device.snapshot.prompt != nil)
        try device.simulate("finger match")
        #expect(try await reading.value == nil)
    }

    @Test(arguments: ["lock-device", "background", "reboot", "reinstall", "restore-elsewhere"])
    func `the system takes it away, and nothing is counted`(event: String) async throws {
        let reading = try await device.waitingRead()
        try device.simulate(event)
        #expect(try await reading.value == .cancelledBySystem)
        #expect(device.snapshot.prompt == nil)
        for remedy in ["unlock-device", "foreground"] { try device.simulate(remedy) }
        for _ in 1...4 {
            try device.simulate("finger mismatch")
            await #expect(throws: DeviceRefusal.notRecognised) { try await device.prompt(sampleText) }
        }
    }

    @Test(
        arguments: [
            ("lockout", DeviceRefusal.lockedOut), ("unenroll", .notEnrolled), ("passcode-off", .notEnrolled),
            ("permission-denied", .hardwareMissing), ("sensor none", .hardwareMissing),
        ]
    )
    func `what ends the use of biometrics ends it, with that reason`(event: String, refusal: DeviceRefusal) async throws
    {
        let reading = try await device.waitingRead()
        try device.simulate(event)
        #expect(try await reading.value == refusal)
    }

    @Test(.holds("A31")) func `one that takes the passcode stays through a lockout, and the passcode ends both`()
        async throws
    {
        let reading = try await device.waitingRead(2)
        #expect(device.snapshot.prompt?.mode == .system)
        try device.simulate("lockout")
        #expect(device.snapshot.prompt != nil)
        try device.simulate("finger passcode")
        #expect(try await reading.value == nil)
        #expect(!device.snapshot.isLockedOut)
    }

    @Test(.holds("A28")) func `a finger that is enrolled while it is up opens nothing`() async throws {
        let reading = try await device.waitingRead()
        try device.simulate("enroll")
        #expect(device.snapshot.prompt != nil)
        try device.simulate("finger match")
        #expect(try await reading.value == .revoked)
    }

    @Test func `an item that is deleted while it is up is absent`() async throws {
        let reading = try await device.waitingRead()
        try await device.delete(.sample())
        try device.simulate("finger match")
        #expect(try await reading.value == .absent)
    }

    @Test(.holds("C7")) func `the fifth mismatch in a row locks out, whether it was queued or not`() async throws {
        for _ in 1...4 {
            try device.simulate("finger mismatch")
            #expect(try await device.refusalOfRead() == .notRecognised)
        }
        let reading = try await device.waitingRead()
        try device.simulate("finger mismatch")
        #expect(try await reading.value == .lockedOut)
    }

    @Test func `of two, a touch is for the one that came up first`() async throws {
        let first = try await device.waitingRead(1)
        let second = Task { try await device.refusalOfRead(2) }
        await until { device.promptsShown == 2 }
        try device.simulate("finger cancel")
        #expect(try await first.value == .cancelledByUser(afterMismatch: false))
        await until { device.snapshot.prompt?.mode == .system }
        try device.simulate("finger match")
        #expect(try await second.value == nil)
    }

    @Test func `a lock takes away each of two`() async throws {
        let first = try await device.waitingRead(1)
        let second = Task { try await device.refusalOfRead(2) }
        await until { device.promptsShown == 2 }
        try device.simulate("lock-device")
        #expect(try await first.value == .cancelledBySystem)
        #expect(try await second.value == .cancelledBySystem)
    }

    @Test(.holds("A33")) func `the end of its task ends it, and the next touch is the next prompt's`() async throws {
        let reading = try await device.waitingRead()
        reading.cancel()
        #expect(try await reading.value == .cancelledBySystem)
        #expect(device.snapshot.prompt == nil)
        try device.simulate("finger match")
        #expect(try await device.refusalOfRead() == nil)
    }

    @Test func `one that proves presence alone waits too, and shows its words`() async throws {
        let text = PromptText(reason: "Why", cancelTitle: "No", fallbackTitle: "")
        let asking = Task { try await device.prompt(text, acceptingPasscode: true) }
        await until { device.snapshot.prompt != nil }
        #expect(device.snapshot.prompt?.text == text && device.snapshot.prompt?.mode == .system)
        try device.simulate("finger match")
        try await asking.value
        let refused = Task { try await device.prompt(text) }
        await until { device.snapshot.prompt?.mode == .local }
        try device.simulate("background")
        await #expect(throws: DeviceRefusal.cancelledBySystem) { try await refused.value }
    }

    @Test func `an app that was left shows none`() async throws {
        try device.simulate("background")
        try device.simulate("finger match")
        #expect(try await device.refusalOfRead() == .cancelledBySystem)
        #expect(device.promptsShown == 0)
        try device.simulate("foreground")
        #expect(try await device.refusalOfRead() == nil)
    }

    @Test func `one with a limit is taken away after it`() async throws {
        device.promptLimit = Milliseconds(1)
        #expect(try await device.refusalOfRead() == .cancelledBySystem)
        #expect(device.promptsShown == 1 && device.snapshot.prompt == nil)
    }

    @Test func `a fault before it comes up is that, and no prompt waits`() async throws {
        for fault in ["reader-busy", "reader-broken"] {
            try device.simulate("fault " + fault)
            #expect(try await device.refusalOfRead() == .readerFailed(afterMismatch: false))
        }
        device.interceptor = { call in
            if case .read = call { .failAfterEffect(.unavailable) } else { .proceed }
        }
        #expect(try await device.refusalOfRead() == .unavailable)
        #expect(device.snapshot.prompt == nil)
    }

    // MARK: In a folder

    @Test func `another process's touch answers it, and its lock takes it away`() async throws {
        let folder = try TemporaryFolder()
        let (first, second) = (
            try SimulatedDevice(folder: folder.devicePath), try SimulatedDevice(folder: folder.devicePath)
        )
        try await first.save(.sample(), as: .sample(), access: .currentBiometrySet)
        first.promptsWait = true
        #expect(!second.promptsWait && second.snapshot.prompt == nil)
        for (event, refusal) in [("finger match", nil), ("lock-device", DeviceRefusal.cancelledBySystem)] {
            let reading = try await first.waitingRead()
            #expect(second.snapshot.prompt == nil, "a prompt is its process's own")
            try second.simulate(event)
            #expect(try await reading.value == refusal)
        }
        try second.simulate("unlock-device")
        let reading = try await first.waitingRead()
        try first.simulate("finger mismatch")
        #expect(try await reading.value == .notRecognised)
    }

    @Test func `one whose folder goes stays until its task ends`() async throws {
        let folder = try TemporaryFolder()
        let device = try SimulatedDevice(folder: folder.devicePath)
        try await device.save(.sample(), as: .sample(), access: .currentBiometrySet)
        device.promptsWait = true
        let reading = try await device.waitingRead()
        try FileManager.default.removeItem(atPath: folder.statePath)
        // Nobody can touch or lock a device that is not there, and is told so.
        #expect(throws: DeviceRefusal.unavailable) { try device.simulate("lock-device") }
        reading.cancel()
        #expect(try await reading.value == .cancelledBySystem)
    }
}
