import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("The file of the service keys") struct ServiceKeyFileTests {
    private let folder: TemporaryFolder
    private let file: ServiceKeyFile

    init() throws {
        folder = try TemporaryFolder()
        file = ServiceKeyFile(folder.file("keys/service.key"))
    }

    private var path: String { folder.file("keys/service.key") }

    @Test func `it is made once, for this user alone`() throws {
        #expect(throws: ServiceKeyError.absent) { try file.identifiers() }
        let name = try file.create()
        #expect(try file.identifiers() == [name])
        for (path, mode) in [(path, 0o600), (folder.file("keys"), 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        let bytes = try folder.read("keys/service.key")
        #expect(throws: ServiceKeyError.taken) { try file.create() }
        #expect(try folder.read("keys/service.key") == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("keys")) == ["service.key"])
    }

    @Test func `a key's name tells nothing of it`() throws {
        let name = try file.create()
        let bytes = try folder.read("keys/service.key")
        let key = Array(bytes.suffix(32))
        #expect(bytes.count == 16 + 8 + 32)
        #expect(name.text.count == 16)
        #expect(
            !key.indices.dropLast(3).contains {
                name.bytes.contains(key[$0]) && Array(key[$0..<$0 + 4]) == Array(name.bytes.prefix(4))
            }
        )
        #expect("\(name)\(file)\(try file.load())".contains(String(describing: key)) == false)
    }

    @Test(.holds("SVC-37")) func `a file that others could read or exchange is not used`() throws {
        try file.create()
        func refused(_ change: () throws -> Void, _ undo: () throws -> Void) throws {
            try change()
            #expect(throws: ServiceKeyError.unsafeFile) { try file.load() }
            #expect(throws: ServiceKeyError.unsafeFile) { try file.add() }
            try undo()
            #expect(try file.load().count == 1)
        }
        func setMode(_ mode: Int, _ path: String) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        try refused {
            try setMode(0o640, path)
        } _: {
            try setMode(0o600, path)
        }
        try refused {
            try setMode(0o755, folder.file("keys"))
        } _: {
            try setMode(0o700, folder.file("keys"))
        }
        try refused {
            try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
        } _: {
            try FileManager.default.removeItem(atPath: folder.file("second"))
        }
        try refused {
            try FileManager.default.moveItem(atPath: path, toPath: folder.file("moved"))
            try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("moved"))
        } _: {
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.moveItem(atPath: folder.file("moved"), toPath: path)
        }
    }

    @Test(.holds("SVC-37")) func `one bit that fell over, and one byte more or less, are damage`() throws {
        try file.create()
        try file.add()
        let bytes = try folder.read("keys/service.key")
        for bit in 0..<8 * bytes.count {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            try folder.write(changed, to: "keys/service.key")
            #expect(throws: ServiceKeyError.damaged, "bit \(bit)") { try file.load() }
        }
        for changed in [
            [], Array(bytes.prefix(16)), bytes.dropLast(), bytes + [0], bytes + bytes + bytes + bytes + bytes,
        ] {
            try folder.write(changed, to: "keys/service.key")
            #expect(throws: ServiceKeyError.damaged) { try file.load() }
        }
        try folder.write(bytes, to: "keys/service.key")
        #expect(try file.load().count == 2)
    }

    @Test func `keys are added behind the others, and one alone is kept`() throws {
        let first = try file.create()
        let second = try file.add()
        #expect(try file.identifiers() == [first, second])
        try file.keepOnly(second)
        #expect(try file.identifiers() == [second])
        // None would be left, and with it no account.
        #expect(throws: ServiceKeyError.damaged) { try file.keepOnly(first) }
        #expect(try file.identifiers() == [second])
    }
}
