import Foundation
import Testing
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

@Suite("A simulated device in a folder")
struct SimulatedFolderTests {
    let folder: TemporaryFolder
    let first: SimulatedDevice

    init() throws {
        folder = try TemporaryFolder()
        first = try SimulatedDevice(folder: folder.devicePath)
    }

    private func reopened() throws(DeviceRefusal) -> SimulatedDevice {
        try SimulatedDevice(folder: folder.devicePath)
    }

    @Test func `everything outlives the process`() async throws {
        let key = ItemName.sample(2, .deviceSecret)
        try await first.save(.sample(), as: .sample(), access: .currentBiometrySet)
        try await first.makeDeviceSecret(key)
        let answer = try await first.evaluate(key, input: [1])
        let publicKey = try await first.makeDeviceKey(.sample(3, .deviceKey))
        try await first.rise(to: 7, for: key)
        for event in ["finger mismatch", "finger match", "sensor face", "fault describe-fails"] {
            try first.simulate(event)
        }

        let second = try reopened()
        let isSame = SecretBytes.constantTimeEqual(answer, try await second.evaluate(key, input: [1]))
        #expect(isSame)
        let signature = try await second.sign([1, 2], with: .sample(3, .deviceKey))
        try P256.verify(signature: signature, of: [1, 2], publicKey: publicKey)
        #expect(try await second.sequence(for: key) == 7)
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await second.describe(.sample()) }
        #expect(
            try await second.describe(.sample()) == ItemDescription(access: .currentBiometrySet, staysOnDevice: true)
        )
        #expect(try await second.refusalOfRead() == .notRecognised)
        #expect(try await first.refusalOfRead() == nil)
        #expect(await first.capability().biometryType == .faceID)
        #expect(try await first.device.installation() == second.device.installation())
        #expect(first.device.clock().bootID == second.device.clock().bootID)
    }

    @Test func `a revoked row is remembered by the next process`() async throws {
        try await first.save(.sample(), as: .sample(), access: .currentBiometrySet)
        for event in ["enroll", "finger match"] { try first.simulate(event) }
        #expect(try await first.refusalOfRead() == .revoked)
        #expect(try await reopened().refusalOfRead() == .revoked)
    }

    @Test func `eight at once raise the anchor through two instances, and none is lost`() async throws {
        let second = try reopened()
        let names = (0..<8).map { ItemName.sample($0, .deviceSecret) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, name) in names.enumerated() {
                let device = index.isMultiple(of: 2) ? first : second
                group.addTask {
                    for value: UInt64 in 1...5 { try await device.rise(to: value, for: name) }
                    try await device.rise(to: UInt64(index), for: .sample(100, .deviceSecret))
                }
            }
            try await group.waitForAll()
        }
        for name in names { #expect(try await second.sequence(for: name) == 5) }
        #expect(try await first.sequence(for: .sample(100, .deviceSecret)) == 7)
    }

    @Test func `a call that changes nothing writes nothing`() async throws {
        try await first.save(.sample(), as: .sample(), access: .deviceOnly)
        try await first.rise(to: 2, for: .sample())
        // Open, it keeps its number from being used again by the file that would replace it.
        let kept = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder.statePath))
        defer { try? kept.close() }
        let number = try stateFileNumber()
        #expect(try await first.refusalOfRead() == nil)
        #expect(try await first.describe(.sample(5)) == nil)
        try await first.delete(.sample(5))
        try await first.rise(to: 1, for: .sample())
        _ = first.device.clock()
        #expect(try stateFileNumber() == number)
        try await first.rise(to: 3, for: .sample())
        #expect(try stateFileNumber() != number)
    }

    private func stateFileNumber() throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: folder.statePath)[.systemFileNumber] as? Int)
    }

    @Test func `folder and files are the owner's alone`() throws {
        let manager = FileManager.default
        for (path, mode) in [
            (folder.devicePath, 0o700), (folder.statePath, 0o600), (folder.devicePath + "/lock", 0o600),
        ] {
            #expect(try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int == mode)
        }
    }

    @Test(.holds("A25")) func `a state cut short anywhere is damaged, and stays as it is`() async throws {
        try await first.makeDeviceSecret(.sample())
        let whole = try folder.readState()
        for count in 0..<whole.count {
            try folder.writeState(Array(whole.prefix(count)))
            let again = try reopened()
            await #expect(throws: DeviceRefusal.damaged) { _ = try await again.describe(.sample()) }
        }
        await #expect(throws: DeviceRefusal.damaged) { _ = try await first.describe(.sample()) }
        #expect(try folder.readState().count == whole.count - 1)
        try folder.writeState(whole)
        #expect(try await first.describe(.sample()) != nil)
    }

    @Test(.holds("A25")) func `a state with any bit flipped, or a byte more, is damaged`() async throws {
        try await first.save(.sample(), as: .sample(), access: .currentBiometrySet)
        let whole = try folder.readState()
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1 << (index % 8)
            try folder.writeState(damaged)
            #expect(try await reopened().refusalOfRead() == .damaged, "byte \(index)")
        }
        try folder.writeState(whole + [0])
        #expect(try await reopened().refusalOfRead() == .damaged)
        #expect(try folder.readState() == whole + [0])
    }

    @Test(.holds("A25")) func `beside a damaged state a device works, and what is deleted ends for itself alone`()
        async throws
    {
        try await first.makeDeviceSecret(.sample())
        try await first.rise(to: 3, for: .sample())
        let damaged = try folder.readState().map { $0 ^ 1 }
        try folder.writeState(damaged)
        #expect(try await !first.move(from: nil, to: .founding(mark: .make()), for: .sample()))
        #expect(try folder.readState() == damaged)

        try await reopened().makeDeviceSecret(.sample(2))
        let kept = folder.devicePath + "/device.state.damaged"
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: kept))) == damaged)
        let again = try reopened()
        #expect(try await again.describe(.sample(2)) != nil)
        #expect(try await again.position(for: .sample(2)) == nil)
        await #expect(throws: DeviceRefusal.damaged) { _ = try await again.describe(.sample()) }
        await #expect(throws: DeviceRefusal.damaged) { _ = try await again.evaluate(.sample(), input: []) }
        await #expect(throws: DeviceRefusal.damaged) { _ = try await again.position(for: .sample()) }
        try await again.delete(.sample(2))
        try await again.delete(.sample(3))
        for device in [again, try reopened()] {
            #expect(try await device.describe(.sample(2)) == nil)
            #expect(try await device.describe(.sample(3)) == nil)
            #expect(try await device.position(for: .sample(3)) == nil)
            await #expect(throws: DeviceRefusal.damaged) { _ = try await device.describe(.sample()) }
        }
        try await again.delete(.sample())
        #expect(try await reopened().describe(.sample()) == nil)
        await #expect(throws: DeviceRefusal.damaged) { _ = try await reopened().describe(.sample(4)) }
        #expect(FileManager.default.fileExists(atPath: kept))
    }

    @Test(.holds("A25")) func `a whole state of a later version is unavailable`() throws {
        var body = Array(try folder.readState().dropLast(SHA256.byteCount))
        // A version that needs a field which is not there, and one that nobody knows.
        for version: UInt8 in [2, 3] {
            body[8] = version
            try folder.writeState(body + SHA256.digest(body))
            #expect(throws: DeviceRefusal.unavailable) { try reopened() }
        }
    }

    @Test func `an app that was left is left for every process, and the state is as before once it is back`() throws {
        let before = try folder.readState()
        try first.simulate("background")
        let left = try folder.readState()
        #expect(left[8] == 2 && left.count == before.count + 1)
        #expect(try reopened().snapshot.isAppInBackground)
        // The field is there only while it says so: a state has one form.
        var body = Array(left.dropLast(SHA256.byteCount))
        body[body.count - 1] = 0
        try folder.writeState(body + SHA256.digest(body))
        #expect(throws: DeviceRefusal.unavailable) { try reopened() }
        try folder.writeState(left)
        try reopened().simulate("foreground")
        #expect(try folder.readState() == before)
        #expect(!first.snapshot.isAppInBackground)
    }

    @Test(arguments: [0o644, 0o400, 0o666])
    func `a state that others could only read is closed to them, and one that they could write is damaged`(
        mode: Int
    ) async throws {
        try await first.makeDeviceSecret(.sample())
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.statePath)
        let again = try reopened()
        guard mode & 0o022 == 0 else {
            await #expect(throws: DeviceRefusal.damaged) { _ = try await again.describe(.sample()) }
            return
        }
        #expect(try await again.describe(.sample()) != nil)
        let now = try FileManager.default.attributesOfItem(atPath: folder.statePath)[.posixPermissions]
        #expect(now as? Int == 0o600)
    }

    @Test func `a state that vanished under a running device is unavailable, never a new device`() async throws {
        try FileManager.default.removeItem(atPath: folder.statePath)
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await first.describe(.sample()) }
        #expect(!FileManager.default.fileExists(atPath: folder.statePath))
        #expect(await first.capability().reasonIfUnavailable == .temporarilyUnavailable)
    }

    @Test func `a folder that can't be made is unavailable`() {
        #expect(throws: DeviceRefusal.unavailable) { try SimulatedDevice(folder: folder.path + "/none/device") }
        #expect(throws: DeviceRefusal.unavailable) { try SimulatedDevice(folder: folder.statePath) }
        #expect(throws: DeviceRefusal.unavailable) { try SimulatedDevice(folder: "") }
    }

    // MARK: Planted objects

    @Test(.holds("A39"), arguments: ["device.state", "lock"])
    func `a planted link, second name, pipe or folder is unavailable, and is neither followed nor waited for`(
        name: String
    ) async throws {
        try await first.makeDeviceSecret(.sample())
        let (file, elsewhere) = (folder.devicePath + "/" + name, folder.path + "/elsewhere")
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        let plants: [(String, () throws -> Bool)] = [
            ("symbolic link", { unsafe symlink(elsewhere, file) == 0 }),
            ("hard link", { unsafe link(elsewhere, file) == 0 }),
            ("pipe", { unsafe mkfifo(file, 0o600) == 0 }),
            ("folder", { unsafe mkdir(file, 0o700) == 0 }),
        ]
        for (plant, make) in plants {
            try FileManager.default.moveItem(atPath: file, toPath: elsewhere)
            try #require(try make(), "\(plant)")
            #expect(throws: DeviceRefusal.unavailable, "\(plant)") { try reopened() }
            await #expect(throws: DeviceRefusal.unavailable, "\(plant)") {
                try await first.makeDeviceSecret(.sample(2))
            }
            #expect(try Data(contentsOf: URL(fileURLWithPath: elsewhere)) == before, "\(plant)")
            try FileManager.default.removeItem(atPath: file)
            try FileManager.default.moveItem(atPath: elsewhere, toPath: file)
        }
        #expect(try await reopened().describe(.sample()) != nil)
    }

    @Test(.holds("A39")) func `what is planted where a new state is written loses its name there, and nothing else`()
        async throws
    {
        let (file, victim) = (folder.statePath + ".new", folder.path + "/victim")
        let precious = Data("precious".utf8)
        try precious.write(to: URL(fileURLWithPath: victim))
        let plants: [() -> Bool] = [
            { unsafe link(victim, file) == 0 }, { unsafe symlink(victim, file) == 0 },
            { unsafe mkfifo(file, 0o600) == 0 },
        ]
        for (number, plant) in plants.enumerated() {
            try #require(plant())
            try await first.makeDeviceSecret(.sample(UInt64(number)))
            #expect(try await reopened().describe(.sample(UInt64(number))) != nil)
            #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == precious)
        }
    }

    @Test func `a lock that another process keeps is waited for with an end, and the clock does not wait`() async throws
    {
        let hasty = try SimulatedDevice(folder: folder.devicePath, patience: Milliseconds(50))
        let other = unsafe open(folder.devicePath + "/lock", O_RDWR | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX) == 0)
        let begin = DispatchTime.now().uptimeNanoseconds
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await hasty.describe(.sample()) }
        #expect(DispatchTime.now().uptimeNanoseconds - begin >= 48_000_000, "the clock counts in milliseconds")
        // This one would wait for 10 s, and the test with it.
        #expect(first.device.clock().bootID == hasty.device.clock().bootID)
        #expect(DispatchTime.now().uptimeNanoseconds - begin < 10_000_000_000)
        flock(other, LOCK_UN)
        #expect(try await hasty.describe(.sample()) == nil)
    }
}
