import Foundation
import Testing
import ThumbturnSQLite
import ThumbturnTestKit

/// What is read out of a log is what SQLite makes of it.
@Suite struct WriteAheadLogTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A file and its log after some commits.
    private func files() throws -> [String: Data] {
        let database = try Sample.create(at: folder.file)
        try database.truncateLog()
        for number in 1...3 {
            try Sample.advance(database)
            try database.run("UPDATE head SET note = ?", .text(String(repeating: "\(number)", count: 9_000)))
        }
        var files = try folder.contents()
        files["vault.db-shm"] = nil
        database.close()
        return files
    }

    /// What the log makes of the file.
    private func image(of files: [String: Data]) throws -> (bytes: Data, log: WriteAheadLog) {
        let (base, bytes) = (try #require(files["vault.db"]), Array(files["vault.db-wal"] ?? Data()))
        let log = WriteAheadLog(byteCount: bytes.count) { offset, count in
            Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
        }
        guard let pageCount = log.pageCount else { return (base, log) }
        var image = Data()
        for page in 0..<pageCount {
            if let place = log.pages[page] {
                image += bytes[place..<place + 4_096]
            } else {
                image += base.dropFirst(page * 4_096).prefix(4_096)
            }
        }
        return (image, log)
    }

    /// What SQLite makes of the two.
    private func settled(_ files: [String: Data]) throws -> Data {
        try folder.replaceContents(with: files)
        try Database(opening: folder.file, format: Sample.format).close()
        return try #require(try folder.contents()["vault.db"])
    }

    @Test(.holds("A40")) func `a log cut at any length says what SQLite finds in it`() throws {
        var files = try files()
        let log = try #require(files["vault.db-wal"])
        var pageCounts: Set<Int?> = []
        for length in Array(stride(from: 0, to: log.count, by: 103)) + [log.count] {
            files["vault.db-wal"] = log.prefix(length)
            let (bytes, read) = try image(of: files)
            #expect(try bytes == settled(files), "cut at \(length)")
            #expect(!read.isDamaged || length < 32, "cut at \(length)")
            pageCounts.insert(read.pageCount)
        }
        #expect(pageCounts.count > 3)
    }

    @Test(.holds("A40")) func `a log with a changed bit says what SQLite finds in it, and that more was there`() throws
    {
        var files = try files()
        let log = try #require(files["vault.db-wal"])
        var told = 0
        var places = Array(stride(from: 32, to: log.count, by: 397)) + Array(0..<32)
        // The salts and the checksum of a frame.
        places += 40..<56
        for place in places {
            var changed = log
            changed[place] ^= 1 << UInt8(place % 8)
            files["vault.db-wal"] = changed
            let (bytes, read) = try image(of: files)
            #expect(try bytes == settled(files), "byte \(place)")
            if read.isDamaged { told += 1 }
            // The last commit's own mark may be what is lost: then it looks like one that was not finished.
            if place < log.count - 5 * 4_120 { #expect(read.isDamaged, "byte \(place)") }
        }
        #expect(told > 50)
    }

    @Test func `a log that is empty, or room alone, says nothing and is not damaged`() throws {
        var files = try files()
        for log in [Data(), Data(repeating: 0, count: 9_000)] {
            files["vault.db-wal"] = log
            let (bytes, read) = try image(of: files)
            #expect(bytes == files["vault.db"] && !read.isDamaged && read.pageCount == nil)
        }
        files["vault.db-wal"] = Data("no log".utf8)
        #expect(try image(of: files).log.isDamaged)
    }
}
