import Foundation
import Testing
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
        try await first.raise(to: 7, for: key)
        for event in ["finger mismatch", "finger match", "sensor face", "fault describe-fails"] {
            try first.simulate(event)
        }

        let second = try reopened()
        let isSame = SecretBytes.constantTimeEqual(answer, try await second.evaluate(key, input: [1]))
        #expect(isSame)
        #expect(try await second.value(for: key) == 7)
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
                    for value: UInt64 in 1...5 { try await device.raise(to: value, for: name) }
                    try await device.raise(to: UInt64(index), for: .sample(100, .deviceSecret))
                }
            }
            try await group.waitForAll()
        }
        for name in names { #expect(try await second.value(for: name) == 5) }
        #expect(try await first.value(for: .sample(100, .deviceSecret)) == 7)
    }

    @Test func `a call that changes nothing writes nothing`() async throws {
        try await first.save(.sample(), as: .sample(), access: .deviceOnly)
        try await first.raise(to: 2, for: .sample())
        // A second link keeps the file's number from being used again by the file that would replace it.
        try FileManager.default.linkItem(atPath: folder.statePath, toPath: folder.path + "/kept")
        let number = try stateFileNumber()
        #expect(try await first.refusalOfRead() == nil)
        #expect(try await first.describe(.sample(5)) == nil)
        try await first.delete(.sample(5))
        try await first.raise(to: 1, for: .sample())
        _ = first.device.clock()
        #expect(try stateFileNumber() == number)
        try await first.raise(to: 3, for: .sample())
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

    @Test func `a state cut short anywhere is unavailable, and stays as it is`() async throws {
        try await first.makeDeviceSecret(.sample())
        let whole = try folder.readState()
        for count in 0..<whole.count {
            try folder.writeState(Array(whole.prefix(count)))
            #expect(throws: DeviceRefusal.unavailable) { try reopened() }
        }
        await #expect(throws: DeviceRefusal.unavailable) { _ = try await first.describe(.sample()) }
        #expect(try folder.readState().count == whole.count - 1)
        try folder.writeState(whole)
        #expect(try await first.describe(.sample()) != nil)
    }

    @Test func `a state with any bit flipped, or a byte more, is unavailable`() async throws {
        try await first.save(.sample(), as: .sample(), access: .currentBiometrySet)
        let whole = try folder.readState()
        for index in whole.indices {
            var damaged = whole
            damaged[index] ^= 1 << (index % 8)
            try folder.writeState(damaged)
            #expect(throws: DeviceRefusal.unavailable, "byte \(index)") { try reopened() }
        }
        try folder.writeState(whole + [0])
        #expect(throws: DeviceRefusal.unavailable) { try reopened() }
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
}
