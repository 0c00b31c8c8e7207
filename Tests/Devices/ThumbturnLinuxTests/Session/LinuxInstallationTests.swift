import Foundation
import Testing
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

struct LinuxInstallationTests {
    private let folder: TemporaryFolder
    private let installation: LinuxInstallation

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array("0123456789abcdef0123456789abcdef\n".utf8), to: "machine-id")
        installation = LinuxInstallation(folder: folder.path, machineFile: folder.file("machine-id"))
    }

    @Test(.holds("F-107-09")) func `an installation keeps its name, in one file that is ours alone`() throws {
        let name = try installation.name()
        #expect(try installation.name() == name)
        #expect(try Set(folder.files().keys) == ["installation", "machine-id"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("installation"))[.posixPermissions]
        #expect(mode as? Int == 0o600)
        #expect(try folder.read("installation") != name.bytes)
    }

    @Test(.holds("A27")) func `without its file an installation is a new one`() throws {
        let name = try installation.name()
        try FileManager.default.removeItem(atPath: folder.file("installation"))
        #expect(try installation.name() != name)
    }

    @Test(.holds("A26")) func `the file of another machine is a new installation`() throws {
        let name = try installation.name()
        try folder.write(Array("fedcba9876543210fedcba9876543210\n".utf8), to: "machine-id")
        #expect(try installation.name() != name)
    }

    @Test(.holds("A26"), arguments: ["", "\n\n", "\r\n"])
    func `a machine's name is the same however its line ends`(end: String) throws {
        let name = try installation.name()
        try folder.write(Array("0123456789abcdef0123456789abcdef\(end)".utf8), to: "machine-id")
        #expect(try installation.name() == name)
    }

    @Test func `many who ask first get one name`() async throws {
        let installation = installation
        let names = try await withThrowingTaskGroup(of: Identifier.self) { group in
            for _ in 1...16 { group.addTask { try installation.name() } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names.count == 1)
    }

    @Test(arguments: [0o640, 0o604, 0o666])
    func `a file that others may read is closed to them, and one that they may write is another installation`(
        mode: Int
    ) throws {
        let name = try installation.name()
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file("installation"))
        #expect(try (installation.name() == name) == (mode & 0o022 == 0))
    }

    @Test(.holds("F-107-09"), arguments: [0, 15, 17])
    func `a file of another length is another installation, and is not replaced`(count: Int) throws {
        let name = try installation.name()
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("installation")))
        try handle.truncate(atOffset: UInt64(count))
        try handle.close()
        let other = try installation.name()
        #expect(try installation.name() == other && other != name)
        #expect(try folder.read("installation").count == count)
    }

    @Test func `a link is refused, and so is a folder that is not there`() throws {
        try folder.write([UInt8](repeating: 1, count: 16), to: "elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("installation"),
            withDestinationPath: folder.file("elsewhere")
        )
        #expect(throws: DeviceRefusal.unavailable) { try installation.name() }
        let nowhere = LinuxInstallation(folder: folder.file("none"), machineFile: folder.file("machine-id"))
        #expect(throws: DeviceRefusal.unavailable) { try nowhere.name() }
    }
}
