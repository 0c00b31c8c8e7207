import Foundation
import Testing
import ThumbturnRules

@testable import ThumbturnConsole

/// New files that appear whole, and files that are read in pieces.
struct FileTests {
    private func withFolder(_ body: (String) throws -> Void) throws {
        let folder = try Folders.makeScratch("thumbturn-files")
        defer { Folders.remove(folder) }
        try body(folder)
    }

    @Test(.holds("F-107-10")) func `a new file is its user's alone, has every byte, and no draft is left`() throws {
        try withFolder { folder in
            let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
            try NewFile(folder + "/new").write(bytes)
            #expect(Folders.contents(of: folder + "/new") == bytes)
            #expect(Folders.files(below: folder) == [folder + "/new"])
            var status = stat()
            try #require(unsafe stat(folder + "/new", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
    }

    @Test func `a name that is taken, at first or by the time it is written, stays as it is`() throws {
        try withFolder { folder in
            let path = folder + "/new"
            let file = try NewFile(path)
            try Folders.write([1], to: path)
            #expect(throws: Failure(.fileExists)) { try file.write([2]) }
            #expect(Folders.files(below: folder) == [path] && Folders.contents(of: path) == [1])
            #expect(throws: Failure(.fileExists)) { _ = try NewFile(path) }
            // A link that leads nowhere is something too.
            try #require(unsafe symlink("nowhere", folder + "/link") == 0)
            #expect(throws: Failure(.fileExists)) { _ = try NewFile(folder + "/link") }
        }
    }

    @Test func `a folder that is missing, or gone by the time it is written, is named`() throws {
        try withFolder { folder in
            #expect(throws: Failure.self) { _ = try NewFile(folder + "/none/new") }
            try Folders.makeParents(of: folder + "/soon/")
            let file = try NewFile(folder + "/soon/new")
            Folders.remove(folder + "/soon")
            let failure = try #require(throws: Failure.self) { try file.write([1]) }
            #expect(failure.exitCode == 3 && failure.message(in: .english).contains("/soon/new can't be written"))
        }
    }

    @Test func `a file is read in pieces, whatever its length`() throws {
        try withFolder { folder in
            let path = folder + "/long"
            try Folders.write([7], to: path)
            try #require(unsafe truncate(path, 10_000_000) == 0)
            let file = try InputFile(path, orThrow: Failure(.storageUnavailable))
            var total = 0
            while let piece = try file.next() {
                #expect(piece.count <= 65_536)
                total += piece.count
            }
            #expect(try total == 10_000_000 && file.next() == nil)
            #expect(try InputFile(path, orThrow: Failure(.usage)).contents(upTo: 9_999_999) == nil)
            #expect(try InputFile(path, orThrow: Failure(.usage)).contents(upTo: 10_000_000)?.count == 10_000_000)
        }
    }

    @Test func `what can't be opened or read is the failure that the caller gave`() throws {
        try withFolder { folder in
            #expect(throws: Failure(.usage)) { _ = try InputFile(folder + "/none", orThrow: Failure(.usage)) }
            let opened = try InputFile(folder, orThrow: Failure(.usage))
            #expect(throws: Failure(.usage)) { _ = try opened.next() }
        }
    }
}
