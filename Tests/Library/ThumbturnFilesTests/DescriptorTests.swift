import Foundation
import Testing
import ThumbturnTestKit

@testable import ThumbturnFiles

@Suite("A file is opened safely")
struct DescriptorTests {
    private let folder: TemporaryFolder
    private var path: String { folder.file("file") }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write([1, 2, 3], to: "file")
        try setMode(0o600)
    }

    private func setMode(_ mode: Int, of name: String = "file") throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.file(name))
    }

    /// Why a file is not opened; nil when it is.
    private func refusal(
        of path: String? = nil,
        for access: Descriptor.Access = .reading,
        followingLinks: Bool = false,
        _ demands: Demands
    ) -> FileError? {
        do throws(FileError) {
            _ = try Descriptor(opening: path ?? self.path, for: access, followingLinks: followingLinks, demands)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a plain file is read at any offset, and knows its length`() throws {
        let file = try Descriptor(opening: path, .plainFile)
        #expect(file.byteCount == 3)
        #expect(try file.contents(upTo: 3) == [1, 2, 3])
        #expect(try file.bytes(at: 1, count: 9) == [2, 3])
        #expect(try file.bytes(at: 3, count: 9) == [])
    }

    @Test func `a missing file is absent, and one below a file is not`() {
        #expect(refusal(of: folder.file("none"), .plainFile) == .absent)
        #expect(refusal(of: path + "/deeper", .plainFile) == .system(ENOTDIR))
    }

    @Test(.holds("A39"), arguments: [Descriptor.Access.reading, .writing, .making])
    func `a link is not followed, and nothing is made where it leads`(access: Descriptor.Access) throws {
        for target in ["file", "none"] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file("link"),
                withDestinationPath: folder.file(target)
            )
            #expect(refusal(of: folder.file("link"), for: access, .plainFile) == .refused(.symbolicLink))
            try FileManager.default.removeItem(atPath: folder.file("link"))
        }
        #expect(try folder.files().keys.sorted() == ["file"])
    }

    @Test func `a link is followed where that is asked for`() throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: path)
        #expect(try Descriptor.contents(ofSystemFile: folder.file("link"), upTo: 3) == [1, 2, 3])
        #expect(throws: FileError.tooLarge) { try Descriptor.contents(ofSystemFile: folder.file("link"), upTo: 2) }
    }

    @Test(.holds("A39"), arguments: [Descriptor.Access.reading, .writing, .making])
    func `a pipe, a device and a folder are no files, and are not waited for`(access: Descriptor.Access) throws {
        try #require(unsafe mkfifo(folder.file("pipe"), 0o600) == 0)
        for path in [folder.file("pipe"), "/dev/null", folder.path] {
            #expect(refusal(of: path, for: access, .plainFile) == .refused(.notARegularFile), "\(path)")
        }
        #expect(refusal(Demands(.folder)) == .refused(.notAFolder))
    }

    @Test(.holds("A39")) func `a second name is refused where one is demanded`() throws {
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
        #expect(refusal(Demands(.file, hasOneName: true)) == .refused(.hardLinked))
        #expect(refusal(.plainFile) == nil)
    }

    @Test(.enabled(if: geteuid() == 0)) func `another user's file is refused where one's own is demanded`() throws {
        #expect(unsafe chown(path, 65_534, 65_534) == 0)
        #expect(refusal(Demands(.file)) == .refused(.wrongOwner))
        #expect(refusal(.plainFile) == nil)
    }

    @Test(arguments: [0o620, 0o602, 0o622, 0o640, 0o604, 0o610, 0o601])
    func `a mode that lets others in is refused where it is demanded that they are out`(mode: Int) throws {
        try setMode(mode)
        #expect(refusal(Demands(.file, others: .nothing)) == .refused(.wrongMode))
        #expect(refusal(Demands(.file, others: .readOnly)) == (mode & 0o022 == 0 ? nil : .refused(.wrongMode)))
        #expect(refusal(Demands(.file)) == nil)
    }

    @Test(.holds("A39"), arguments: ["link", "pipe", "second name", "mode"])
    func `a file that is exchanged between the look at its name and its opening is refused`(kind: String) throws {
        let (path, elsewhere) = (path, folder.file("elsewhere"))
        try folder.write([7], to: "elsewhere")
        #expect(unsafe chmod(elsewhere, kind == "mode" ? 0o644 : 0o600) == 0)
        let flaws: [String: FileFlaw] = ["link": .symbolicLink, "pipe": .notARegularFile, "mode": .wrongMode]
        let flaw = flaws[kind] ?? .hardLinked
        #expect(throws: FileError.refused(flaw)) {
            let demands = Demands(.file, hasOneName: true, others: .nothing)
            _ = try Descriptor(opening: path, in: AT_FDCWD, demands) {
                _ = unsafe unlink(path)
                switch kind {
                case "link": _ = unsafe symlink(elsewhere, path)
                case "pipe": _ = unsafe mkfifo(path, 0o600)
                case "mode": _ = unsafe rename(elsewhere, path)
                default: _ = unsafe link(elsewhere, path)
                }
            }
        }
    }

    @Test func `two names of one file are told from two files`() throws {
        try FileManager.default.linkItem(atPath: path, toPath: folder.file("second"))
        let status = try Descriptor(opening: path, .plainFile).status()
        #expect(status.nameCount == 2)
        #expect(try status.isSameFile(as: FileStatus(of: folder.file("second"))))
        #expect(try !status.isSameFile(as: FileStatus(of: folder.path)))
    }

    @Test func `a new file is this user's alone, and takes no name that is taken`() throws {
        _ = try Descriptor(making: folder.file("new"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("new"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(throws: FileError.taken) { _ = try Descriptor(making: path) }
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link"),
            withDestinationPath: folder.file("none")
        )
        #expect(throws: FileError.taken) { _ = try Descriptor(making: folder.file("link")) }
        #expect(throws: FileError.absent) { _ = try Descriptor(making: folder.file("none/new")) }
        #expect(try folder.files().keys.sorted() == ["file", "new"])
    }

    @Test func `a file is written in its place`() throws {
        let file = try Descriptor(opening: path, for: .writing, Demands(.file))
        try file.write([9, 8], at: 1)
        try file.synchronize()
        #expect(try folder.read("file") == [1, 9, 8])
        #expect(throws: FileError.system(EBADF)) { try Descriptor(opening: path, .plainFile).write([1]) }
    }

    @Test func `what ends before a buffer is full is cut short`() throws {
        let file = try Descriptor(opening: path, .plainFile)
        var bytes = [UInt8](repeating: 0, count: 4)
        #expect(throws: FileError.cutShort) {
            try unsafe bytes.withUnsafeMutableBytes { buffer in try unsafe file.fill(buffer) }
        }
        #expect(bytes == [1, 2, 3, 0])
    }

    @Test func `contents are read whole across chunks, whatever length the file tells`() throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try folder.write(bytes, to: "long")
        let file = try Descriptor(opening: folder.file("long"), .plainFile)
        #expect(try file.contents(upTo: 200_000) == bytes)
        #expect(throws: FileError.tooLarge) { try file.contents(upTo: 199_999) }
        #expect(try !Descriptor.contents(ofSystemFile: "/proc/self/status", upTo: 1 << 20).isEmpty)
    }

    @Test func `a lock is one's at a time, waited for with an end, and let go of`() throws {
        let (first, second) = (try FileLock(folder.file("lock")), try FileLock(folder.file("lock")))
        #expect(try first.tryAcquire())
        #expect(try !second.tryAcquire())
        let begin = DispatchTime.now().uptimeNanoseconds
        #expect(throws: FileError.busy) { try second.acquire(within: 50) }
        #expect(DispatchTime.now().uptimeNanoseconds - begin >= 50_000_000)
        first.release()
        try second.acquire(within: 50)
    }
}
