import Foundation
import Glibc
import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

@Suite("A folder of one user")
struct PrivateFolderTests {
    let parent: TemporaryFolder
    let folder: PrivateFolder
    var path: String { parent.file("items") }

    init() throws {
        parent = try TemporaryFolder()
        folder = try PrivateFolder(creating: parent.file("items"))
    }

    private func read(_ name: String = "a") throws(DeviceRefusal) -> [UInt8]? {
        try folder.withLock { folder throws(DeviceRefusal) in
            guard let bytes = try folder.read(name) else { return nil }
            return bytes.withBytes { $0.exposed }
        }
    }

    private func add(_ bytes: [UInt8] = [1, 2, 3], _ name: String = "a") throws(DeviceRefusal) {
        try folder.withLock { folder throws(DeviceRefusal) in try folder.add(SecretBytes(record: bytes), as: name) }
    }

    @Test func `folder and files are closed to others`() throws {
        try add()
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(unsafe stat(path + "/a", &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test func `a file is added once`() throws {
        try add()
        #expect(throws: DeviceRefusal.unclassified) { try add([4]) }
        #expect(try read() == [1, 2, 3])
    }

    @Test func `what a crash left of a new file is no item, and goes with the next`() throws {
        try parent.write([9], to: "items/.new")
        #expect(try folder.withLock { folder throws(DeviceRefusal) in try folder.names() } == [])
        try add()
        #expect(try parent.files().keys.sorted() == ["items/a"])
    }

    @Test(.holds("A25")) func `a missing file of a good folder is the only absence`() throws {
        #expect(try read() == nil)
        try FileManager.default.removeItem(atPath: path)
        #expect(throws: DeviceRefusal.unavailable) { try read() }
    }

    @Test(arguments: [0o710, 0o701, 0o777])
    func `a folder that is open to others is unavailable`(mode: Int) throws {
        try add()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect(throws: DeviceRefusal.unavailable) { try read() }
        #expect(throws: DeviceRefusal.unavailable) { try PrivateFolder(creating: path) }
    }

    @Test(arguments: [0o640, 0o604, 0o755, 0o400, 0o000])
    func `a file that others could only read, or its owner could not, is closed to them and read`(mode: Int) throws {
        try add()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/a")
        #expect(try read() == [1, 2, 3])
        #expect(try FileManager.default.attributesOfItem(atPath: path + "/a")[.posixPermissions] as? Int == 0o600)
    }

    @Test(arguments: [0o620, 0o602, 0o666])
    func `a file that others could write is damaged, and stays as it is`(mode: Int) throws {
        try add()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path + "/a")
        #expect(throws: DeviceRefusal.damaged) { try read() }
        #expect(try FileManager.default.attributesOfItem(atPath: path + "/a")[.posixPermissions] as? Int == mode)
    }

    @Test(.enabled(if: geteuid() == 0)) func `what is another user's is unavailable`() throws {
        try add()
        #expect(unsafe chown(path + "/a", 65_534, 65_534) == 0)
        #expect(throws: DeviceRefusal.unavailable) { try read() }
        #expect(unsafe chown(path, 65_534, 65_534) == 0)
        #expect(throws: DeviceRefusal.unavailable) { try read("b") }
    }

    @Test(.holds("A39")) func `a link, a pipe and a folder are no files`() throws {
        try parent.write([1], to: "elsewhere")
        try FileManager.default.createSymbolicLink(atPath: path + "/a", withDestinationPath: parent.file("elsewhere"))
        #expect(throws: DeviceRefusal.unavailable) { try read() }
        #expect(unsafe mkfifo(path + "/b", 0o600) == 0)
        #expect(throws: DeviceRefusal.unavailable) { try read("b") }
        #expect(unsafe mkdir(path + "/c", 0o700) == 0)
        #expect(throws: DeviceRefusal.unavailable) { try read("c") }
    }

    @Test func `a link in the folder's place is unavailable`() throws {
        try FileManager.default.createSymbolicLink(atPath: parent.file("link"), withDestinationPath: path)
        #expect(throws: DeviceRefusal.unavailable) { try PrivateFolder(creating: parent.file("link")) }
    }

    @Test func `a file that is too large is not read, and damaged`() throws {
        try parent.write([UInt8](repeating: 0, count: 16_385), to: "items/a")
        unsafe chmod(path + "/a", 0o600)
        #expect(throws: DeviceRefusal.damaged) { try read() }
    }

    @Test func `one at a time is in the folder`() async throws {
        try add([0], "count")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    try folder.withLock { folder throws(DeviceRefusal) in
                        let count = try folder.read("count")?.bytes(0..<1)[0] ?? 0
                        try folder.replace("count", by: SecretBytes(record: [count + 1]))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try read("count") == [16])
    }

    @Test func `a lock that somebody keeps is waited for with an end, and is no absence`() throws {
        let hasty = try PrivateFolder(creating: path, patience: Milliseconds(50))
        let other = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(other) }
        try #require(flock(other, LOCK_EX) == 0)
        let begin = DispatchTime.now().uptimeNanoseconds
        #expect(throws: DeviceRefusal.unavailable) {
            try hasty.withLock { folder throws(DeviceRefusal) in try folder.contains("a") }
        }
        #expect(DispatchTime.now().uptimeNanoseconds - begin >= 48_000_000, "the clock counts in milliseconds")
        flock(other, LOCK_UN)
        #expect(try hasty.withLock { folder throws(DeviceRefusal) in try folder.contains("a") } == false)
    }
}
