import Testing
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

@Suite("SimulatedDevice")
struct SimulatedDeviceTests {
    let device = SimulatedDevice()

    private func save(_ access: AccessControl, _ number: UInt64 = 1) async throws {
        try await device.save(.sample(), as: .sample(number), access: access)
    }

    @Test func `a prompt that nobody touches is taken away by the system`() async throws {
        try await save(.currentBiometrySet)
        #expect(try await device.refusalOfRead() == .cancelledBySystem)
        #expect(device.promptsShown == 1)
    }

    @Test func `a task that ended before its prompt shows none`() async throws {
        try await save(.currentBiometrySet)
        try device.simulate("finger match")
        let reading = Task { [device] in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await device.refusalOfRead()
        }
        #expect(try await reading.value == .cancelledBySystem)
        #expect(device.promptsShown == 0)
    }

    @Test func `a prompt without a reason is refused`() async throws {
        try await save(.currentBiometrySet)
        try device.simulate("finger match")
        await #expect(throws: DeviceRefusal.unclassified) {
            _ = try await device.read(.sample(), prompt: PromptText(reason: ""))
        }
        #expect(device.promptsShown == 0)
    }

    @Test func `five mismatches in a row lock out, across prompts and items`() async throws {
        try await save(.currentBiometrySet, 1)
        try await save(.anyBiometryOrPasscode, 2)
        for number: UInt64 in [1, 2, 1] {
            try device.simulate("finger mismatch")
            #expect(try await device.refusalOfRead(number) == .notRecognised)
        }
        try device.simulate("finger mismatch-cancel")
        #expect(try await device.refusalOfRead() == .cancelledByUser(afterMismatch: true))
        try device.simulate("finger mismatch")
        #expect(try await device.refusalOfRead() == .lockedOut)
        try device.simulate("reboot")
        #expect(try await device.refusalOfRead() == .lockedOut)
        #expect(device.promptsShown == 5)
        #expect(await device.capability().reasonIfUnavailable == .lockedOut)
    }

    @Test func `a match forgives mismatches, and a cancel does not`() async throws {
        try await save(.currentBiometrySet)
        for touch in ["mismatch", "mismatch", "mismatch", "mismatch", "match", "mismatch", "cancel"] {
            try device.simulate("finger \(touch)")
            _ = try await device.refusalOfRead()
        }
        #expect(await device.capability().available)
        for _ in 1...4 {
            try device.simulate("finger mismatch")
            _ = try await device.refusalOfRead()
        }
        #expect(await device.capability().reasonIfUnavailable == .lockedOut)
    }

    @Test(.holds("A31"))
    func `the passcode in a prompt that takes it clears a lockout; a finger does not open while locked out`()
        async throws
    {
        try await save(.anyBiometryOrPasscode)
        for events in ["lockout", "finger match"] { try device.simulate(events) }
        #expect(try await device.refusalOfRead() == .lockedOut)
        try device.simulate("finger passcode")
        #expect(try await device.refusalOfRead() == nil)
        #expect(await device.capability().available)
    }

    @Test(.holds("A31")) func `the passcode typed for a biometric item is a fallback`() async throws {
        try await save(.currentBiometrySet)
        try device.simulate("finger passcode")
        #expect(try await device.refusalOfRead() == .fallbackChosen)
    }

    @Test func `without a passcode biometrics wait, and open again when it is back`() async throws {
        try await save(.currentBiometrySet, 1)
        try await save(.deviceOnly, 3)
        try device.simulate("passcode-off")
        #expect(try await device.refusalOfRead(1) == .notEnrolled)
        #expect(try await device.refusalOfRead(3) == nil)
        await #expect(throws: DeviceRefusal.notEnrolled) { try await save(.anyBiometryOrPasscode, 4) }
        for event in ["passcode-on", "finger match"] { try device.simulate(event) }
        #expect(try await device.refusalOfRead(1) == nil)
    }

    @Test func `what the passcode would open goes with it, and another passcode does not bring it back`() async throws {
        try await save(.anyBiometryOrPasscode)
        try device.simulate("passcode-off")
        #expect(try await device.describe(.sample()) == nil)
        #expect(try await device.refusalOfRead() == .revoked)
        for event in ["passcode-on", "finger passcode"] { try device.simulate(event) }
        #expect(try await device.refusalOfRead() == .revoked)
        #expect(device.promptsShown == 0)
        try await device.delete(.sample())
        #expect(try await device.refusalOfRead() == .absent)
    }

    @Test(.holds("A31")) func `no change of fingers touches what any finger or the passcode opens`() async throws {
        try await save(.anyBiometryOrPasscode)
        for event in ["enroll", "finger match"] { try device.simulate(event) }
        #expect(try await device.refusalOfRead() == nil)
        for event in ["unenroll", "finger passcode"] { try device.simulate(event) }
        #expect(try await device.refusalOfRead() == nil)
    }

    @Test func `the refusal is the first that applies: lock, hardware, permission, passcode, enrolment, lockout`()
        async throws
    {
        try await save(.currentBiometrySet)
        let obstacles = [
            "lockout", "unenroll", "passcode-off", "permission-denied", "sensor none", "lock-device", "finger match",
        ]
        for obstacle in obstacles { try device.simulate(obstacle) }
        #expect(try await device.refusalOfRead() == .unavailable)
        let remedies: [(String, DeviceRefusal)] = [
            ("unlock-device", .hardwareMissing), ("sensor face", .hardwareMissing),
            ("permission-granted", .notEnrolled), ("passcode-on", .notEnrolled), ("enroll", .lockedOut),
            ("passcode", .revoked),
        ]
        for (remedy, refusal) in remedies {
            try device.simulate(remedy)
            #expect(try await device.refusalOfRead() == refusal, "after \(remedy)")
        }
        #expect(device.promptsShown == 1)
    }

    @Test func `a biometric item needs a sensor, and a passcode item does not`() async throws {
        try device.simulate("sensor none")
        await #expect(throws: DeviceRefusal.hardwareMissing) { try await save(.currentBiometrySet, 1) }
        try await save(.anyBiometryOrPasscode, 2)
        try device.simulate("finger passcode")
        #expect(try await device.refusalOfRead(2) == nil)
    }

    @Test(.holds("A28")) func `a revoked item says so until it is deleted, and shows one prompt`() async throws {
        try await save(.currentBiometrySet)
        for event in ["enroll", "finger match"] { try device.simulate(event) }
        #expect(try await device.refusalOfRead() == .revoked)
        #expect(try await device.refusalOfRead() == .revoked)
        #expect(device.promptsShown == 1)
        await #expect(throws: DeviceRefusal.unclassified) { try await save(.currentBiometrySet) }
        try await device.delete(.sample())
        #expect(try await device.refusalOfRead() == .absent)
    }

    @Test(.holds("A27")) func `the memory of a revoked row goes with the app`() async throws {
        try await save(.currentBiometrySet)
        for event in ["enroll", "finger match"] { try device.simulate(event) }
        #expect(try await device.refusalOfRead() == .revoked)
        try device.simulate("reinstall")
        #expect(try await device.refusalOfRead() == .absent)
    }

    @Test func `a script sees each call with its name, and can fail it before or after its effect`() async throws {
        let name = ItemName.sample(1, .deviceSecret)
        device.interceptor = { call throws(DeviceRefusal) in
            switch call {
            case .makeDeviceSecret(name): .failAfterEffect(.unavailable)
            case .anchorMove(name): throw .unclassified
            default: .proceed
            }
        }
        await #expect(throws: DeviceRefusal.unavailable) { try await device.makeDeviceSecret(name) }
        let byteCount = try await device.evaluate(name, input: []).byteCount
        #expect(byteCount == 32)
        await #expect(throws: DeviceRefusal.unclassified) { try await device.rise(to: 1, for: name) }
        #expect(try await device.sequence(for: name) == nil)
        device.interceptor = { _ throws(DeviceRefusal) in throw .unavailable }
        #expect(await device.capability().reasonIfUnavailable == .temporarilyUnavailable)
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await device.device.installation() }
        device.interceptor = nil
        #expect(await device.capability().available)
    }

    @Test func `calls are counted`() async throws {
        try await save(.deviceOnly)
        try await device.makeDeviceSecret(.sample(2))
        _ = try await device.evaluate(.sample(2), input: [])
        try await device.delete(.sample(2))
        let counts = device.counts
        #expect([counts.saves, counts.evaluations, counts.deletes, counts.prompts] == [2, 1, 1, 0])
    }
}
