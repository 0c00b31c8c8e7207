import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@Suite("Who follows a simulated device", .timeLimit(.minutes(5)))
struct SimulatedFollowingTests {
    let device = SimulatedDevice()

    static let stories: [([String], [DeviceEvent])] = [
        (["enroll"], [.biometryChanged]), (["unenroll"], [.biometryChanged]),
        (["passcode-off", "passcode-on"], [.biometryChanged, .biometryChanged]),
        (["lockout", "passcode"], [.biometryChanged, .biometryChanged]), (["sensor face"], [.biometryChanged]),
        (["permission-denied"], [.biometryChanged]),
        (
            ["lock-device", "unlock-device"],
            [.becameInactive, .enteredBackground, .protectedDataLeaving, .becameActive]
        ),
        (["background", "foreground"], [.becameInactive, .enteredBackground, .becameActive]),
        (
            ["background", "lock-device", "unlock-device", "foreground"],
            [.becameInactive, .enteredBackground, .protectedDataLeaving, .becameActive]
        ),
        (["reboot"], [.protectedDataLeaving, .becameActive]),
        (["restore-elsewhere"], [.protectedDataLeaving, .biometryChanged, .becameActive]),
        // What no system tells, and what changes nothing.
        (["advance 31m", "clock -1y", "sleep 1h", "reinstall", "finger match", "fault read-fails"], []),
        (["unlock-device", "foreground", "passcode-on", "permission-granted", "sensor touch", "passcode"], []),
    ]

    /// What is told during `events`, and then of one more finger, which ends it.
    private func told(during events: [String], of device: SimulatedDevice) async throws -> [DeviceEvent] {
        let stream = device.device.events()
        for event in events + ["sensor none", "sensor face", "background"] { try device.simulate(event) }
        var told: [DeviceEvent] = []
        for await event in stream {
            told.append(event)
            if told.suffix(4) == [.biometryChanged, .biometryChanged, .becameInactive, .enteredBackground] { break }
        }
        return told.dropLast(4)
    }

    @Test(.holds("INV-107-07", "A37"), arguments: stories)
    func `is told what a system would tell, in its order`(events: [String], expected: [DeviceEvent]) async throws {
        #expect(try await told(during: events, of: device) == expected)
    }

    @Test(arguments: stories)
    func `is told the same of a folder`(events: [String], expected: [DeviceEvent]) async throws {
        let folder = try TemporaryFolder()
        #expect(try await told(during: events, of: SimulatedDevice(folder: folder.devicePath)) == expected)
    }

    @Test func `a sensor that its own prompt locks is told`() async throws {
        try await device.save(.sample(), as: .sample(), access: .currentBiometrySet)
        let stream = device.device.events()
        for _ in 1...5 {
            try device.simulate("finger mismatch")
            _ = try await device.refusalOfRead()
        }
        #expect(await stream.first { _ in true } == .biometryChanged)
    }

    @Test func `each listener is told all, and one that has left costs nothing`() async throws {
        let (first, second) = (device.device.events(), device.device.events())
        let leaving = Task { for await _ in device.device.events() {} }
        leaving.cancel()
        await leaving.value
        try device.simulate("lock-device")
        for stream in [first, second] {
            #expect(await stream.first { $0 == .protectedDataLeaving } == .protectedDataLeaving)
        }
    }

    @Test func `the streams of a device that is gone end`() async {
        let streams = [SimulatedDevice(), SimulatedDevice(clockRuns: true)].map { ($0.device.events(), $0.snapshots()) }
        for (events, snapshots) in streams {
            #expect(await events.first { _ in true } == nil)
            for await snapshot in snapshots { #expect(snapshot.prompt == nil) }
        }
    }

    @Test func `another process's changes to a folder are told`() async throws {
        let folder = try TemporaryFolder()
        let first = try SimulatedDevice(folder: folder.devicePath)
        let stream = first.device.events()
        let second = try SimulatedDevice(folder: folder.devicePath)
        try second.simulate("enroll")
        var events = stream.makeAsyncIterator()
        #expect(await events.next() == .biometryChanged)
        try second.simulate("lock-device")
        for expected in [DeviceEvent.becameInactive, .enteredBackground, .protectedDataLeaving] {
            #expect(await events.next() == expected)
        }
    }

    @Test func `a screen sees the device as it is, and each change`() async throws {
        let start = device.snapshot
        #expect(
            start.prompt == nil && start.touches.isEmpty && start.faults.isEmpty && start.sensor == .touch
                && start.isPermissionGranted && !start.isLockedOut && start.hasPasscode && !start.isDeviceLocked
                && !start.isAppInBackground && start.enrolledCount == 1 && start.clock == device.device.clock()
        )
        var snapshots = device.snapshots().makeAsyncIterator()
        #expect(await snapshots.next() == start)
        let changes: [(String, (SimulatedSnapshot) -> Bool)] = [
            ("finger match", { $0.touches == [.match] }), ("fault save-fails", { $0.faults == [.saveFails] }),
            ("sensor face", { $0.sensor == .face }), ("permission-denied", { !$0.isPermissionGranted }),
            ("lockout", { $0.isLockedOut }), ("passcode-off", { !$0.hasPasscode }),
            ("lock-device", { $0.isDeviceLocked }), ("background", { $0.isAppInBackground }),
            ("enroll", { $0.enrolledCount == 2 }), ("clock -1d", { $0.clock.wall < start.clock.wall }),
            ("reboot", { $0.clock.boottime == .zero }),
        ]
        for (event, isShown) in changes {
            try device.simulate(event)
            let shown = try #require(await snapshots.next())
            #expect(isShown(shown) && shown == device.snapshot, "\(event)")
        }
    }

    @Test func `a prompt is seen while it is up`() async throws {
        device.promptsWait = true
        try await device.save(.sample(), as: .sample(), access: .currentBiometrySet)
        let snapshots = device.snapshots()
        let reading = Task { try await device.refusalOfRead() }
        let up = await snapshots.first { $0.prompt != nil }
        #expect(up?.prompt?.text == sampleText && up?.prompt?.mode == .local)
        try device.simulate("finger match")
        #expect(try await reading.value == nil)
        #expect(device.snapshot.prompt == nil)
    }
}
