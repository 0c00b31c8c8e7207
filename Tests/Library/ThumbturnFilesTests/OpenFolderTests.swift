import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnFiles

@Suite("A folder is opened safely, and its files appear whole")
struct OpenFolderTests {
    private let parent: TemporaryFolder
    private var path: String { parent.file("folder") }

    init() throws {
        parent = try TemporaryFolder()
        #expect(try OpenFolder.make(parent.file("folder")))
    }

    private func setMode(_ mode: Int) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: parent.file(name))[.posixPermissions] as? Int
    }

    private func put(_ bytes: [UInt8], as name: String, inPlace: Bool = false) throws(FileError) {
        let folder = try OpenFolder(path)
        try bytes.lent { (bytes) throws(FileError) in
            if inPlace { try folder.replace(name, by: bytes) } else { try folder.add(bytes, as: name) }
        }
    }

    @Test func `a folder is made once, in a parent that is there, and is this user's alone`() throws {
        #expect(try mode(of: "folder") == 0o700)
        #expect(try !OpenFolder.make(path))
        #expect(throws: FileError.absent) { try OpenFolder.make(parent.file("none/folder")) }
    }

    @Test(arguments: [0o710, 0o750, 0o701, 0o777])
    func `a folder that others may open is refused until it is closed to them`(mode: Int) throws {
        try setMode(mode)
        #expect(throws: FileError.refused(.wrongMode)) { _ = try OpenFolder(path) }
        try OpenFolder(path, Demands(.folder)).closeToOthers()
        #expect(try self.mode(of: "folder") == 0o700)
        _ = try OpenFolder(path)
    }

    @Test(.holds("A39")) func `a link and a file in the folder's place are refused`() throws {
        try FileManager.default.createSymbolicLink(atPath: parent.file("link"), withDestinationPath: path)
        try parent.write([1], to: "file")
        #expect(throws: FileError.refused(.symbolicLink)) { _ = try OpenFolder(parent.file("link")) }
        #expect(throws: FileError.refused(.notAFolder)) { _ = try OpenFolder(parent.file("file")) }
        #expect(throws: FileError.absent) { _ = try OpenFolder(parent.file("none")) }
        _ = try OpenFolder(parent.file("link"), followingLinks: true)
    }

    @Test(.enabled(if: geteuid() == 0)) func `another user's folder is refused`() throws {
        #expect(unsafe chown(path, 65_534, 65_534) == 0)
        #expect(throws: FileError.refused(.wrongOwner)) { _ = try OpenFolder(path) }
    }

    @Test func `a file is added once, for this user alone, and leaves no draft`() throws {
        try put([1, 2], as: "a")
        #expect(throws: FileError.taken) { try put([3], as: "a") }
        #expect(try parent.files() == ["folder/a": [1, 2]])
        #expect(try mode(of: "folder/a") == 0o600)
    }

    @Test func `a file takes the place of another`() throws {
        try put([1, 2], as: "a", inPlace: true)
        try put([3], as: "a", inPlace: true)
        #expect(try parent.files() == ["folder/a": [3]])
        let folder = try OpenFolder(path)
        #expect(try folder.open("a", Demands(.file, others: .nothing)).contents(upTo: 1) == [3])
        #expect(try folder.contains("a"))
        try folder.remove("a")
        try folder.remove("a")
        #expect(try !folder.contains("a"))
    }

    @Test(.holds("A39"), arguments: ["link", "second name", "pipe"])
    func `what is planted in the place of a draft loses its name there, and nothing else`(kind: String) throws {
        try parent.write([7], to: "victim")
        let (draft, victim) = (path + "/.new", parent.file("victim"))
        switch kind {
        case "link": try #require(unsafe symlink(victim, draft) == 0)
        case "second name": try #require(unsafe link(victim, draft) == 0)
        default: try #require(unsafe mkfifo(draft, 0o600) == 0)
        }
        try put([1], as: "a")
        #expect(try parent.files() == ["victim": [7], "folder/a": [1]])
    }

    @Test func `files are named in the folder that was opened, whatever has its name now`() throws {
        let folder = try OpenFolder(path)
        try FileManager.default.moveItem(atPath: path, toPath: parent.file("moved"))
        #expect(try OpenFolder.make(path))
        try [1].lent { (bytes) throws(FileError) in try folder.add(bytes, as: "a") }
        #expect(try parent.files() == ["moved/a": [1]])
        #expect(try folder.names() == ["a"])
    }

    @Test func `all names are told, hidden ones too`() throws {
        for name in ["a", "b", ".hidden"] { try parent.write([], to: "folder/" + name) }
        let folder = try OpenFolder(path)
        #expect(try folder.names().sorted() == [".hidden", "a", "b"])
        #expect(try folder.names().count == 3, "a second time")
    }

    @Test func `a file takes no place that is taken, unless it may`() throws {
        for (name, byte) in [("a", UInt8(1)), ("b", 2)] { try parent.write([byte], to: "folder/" + name) }
        try FileManager.default.createSymbolicLink(atPath: parent.file("folder/link"), withDestinationPath: "nowhere")
        let folder = try OpenFolder(path)
        #expect(throws: FileError.taken) { try folder.move("a", to: "b") }
        #expect(throws: FileError.taken) { try folder.move("a", to: "link") }
        #expect(throws: FileError.absent) { try folder.move("none", to: "c") }
        #expect(try parent.read("folder/b") == [2] && parent.read("folder/a") == [1])
        try folder.move("a", to: "c")
        try folder.move("c", to: "b", replacing: true)
        #expect(try parent.read("folder/b") == [1])
        #expect(try folder.names().sorted() == ["b", "link"])
    }

    @Test func `a disk of this machine has what a vault needs, and asking leaves nothing`() throws {
        #expect(FolderNeed.missing(in: path) == nil)
        #expect(try OpenFolder(path).names().isEmpty)
        #expect(FolderNeed.missing(in: parent.file("none")) == nil, "where nothing can be made nothing is known")
        try parent.write([], to: "file")
        #expect(!FolderNeed.lacksLocks(parent.file("file")))
        #expect((DiskSpace.available(in: path) ?? 0) > 0)
    }

    @Test func `a folder is locked by one at a time`() throws {
        let first = try OpenFolder(path)
        try first.lock(within: 0)
        #expect(throws: FileError.busy) { try OpenFolder(path).lock(within: 20) }
        withExtendedLifetime(first) {}
    }

    @Test func `the folder that a file is in`() {
        for (path, parent) in [("a", "."), ("/a", "/"), ("b/a", "b"), ("/b/c/a", "/b/c")] {
            #expect(OpenFolder.parent(of: path) == parent)
        }
        #expect(throws: FileError.absent) { try OpenFolder.synchronize(parent.file("none")) }
    }
}
