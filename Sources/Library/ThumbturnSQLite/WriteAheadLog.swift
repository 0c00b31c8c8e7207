/// The contents of a database's log, read as SQLite does in recovery, but without writing.
///
/// The format is SQLite's (<https://www.sqlite.org/fileformat2.html#the_write_ahead_log>): a header, then frames, each
/// a page behind a header of its own. Frames count up to the last one that ends a commit, as long as their salts are
/// the header's and their checksum, which continues the previous frame's, is right.
package struct WriteAheadLog: Sendable {
    package static let headerByteCount = 32
    /// The length of a page in the log.
    package static let frameByteCount = frameHeaderByteCount + Int(Database.pageByteCount)
    private static let frameHeaderByteCount = 24
    private static let version: UInt32 = 3_007_000

    /// The offset of each committed page in the log, by page number, counted from 0.
    package private(set) var pages: [Int: Int] = [:]
    /// The number of pages in the database after the last commit; nil if there is no commit.
    package private(set) var pageCount: Int?
    /// The end of the last commit; that of the header if there is none.
    package private(set) var end = headerByteCount
    /// Whether the log has unreadable data: the last commit may be missing.
    package private(set) var isDamaged = false

    /// Reads a log.
    ///
    /// - Parameters:
    ///   - byteCount: the log's length.
    ///   - read: returns the bytes from an offset, fewer at the end of the file.
    package init<Failure: Error>(
        byteCount: Int,
        read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let header = try read(0, Self.headerByteCount)
        guard let start = Header(header) else {
            // A log that contains only reserved room was not started.
            var offset = 0
            while !isDamaged, offset < byteCount {
                let some = try read(offset, 1 << 16)
                guard !some.isEmpty else { break }
                isDamaged = some.contains { $0 != 0 }
                offset += some.count
            }
            return
        }
        var sum = start.checksum
        var offset = Self.headerByteCount
        var pending: [Int: Int] = [:]
        while true {
            let frame = try read(offset, Self.frameByteCount)
            guard frame.count == Self.frameByteCount, frame.word(0) > 0, frame.isOf(start) else { break }
            sum.add(frame[..<8], isBigEndian: start.isBigEndian)
            sum.add(frame[Self.frameHeaderByteCount...], isBigEndian: start.isBigEndian)
            guard sum.first == frame.word(16), sum.second == frame.word(20) else { break }
            pending[Int(frame.word(0)) - 1] = offset + Self.frameHeaderByteCount
            offset += Self.frameByteCount
            guard frame.word(4) > 0 else { continue }
            pages.merge(pending) { $1 }
            pending = [:]
            pageCount = Int(frame.word(4))
            end = offset
        }
        // Frames after the last commit belong to a transaction that was not finished or was undone. But the end of a
        // commit that the chain of checksums does not reach was written and is lost. One whose page was not written yet
        // is no end.
        while !isDamaged {
            let frame = try read(offset, Self.frameByteCount)
            guard frame.count == Self.frameByteCount else { break }
            isDamaged =
                frame.isOf(start) && frame.word(4) > 0
                && frame[Self.frameHeaderByteCount...].contains { $0 != 0 }
            offset += Self.frameByteCount
        }
        guard let pageCount else { return }
        pages = pages.filter { $0.key < pageCount }
    }

    fileprivate struct Header {
        let isBigEndian: Bool
        let salts: ArraySlice<UInt8>
        let checksum: Checksum

        /// - Returns: nil unless the bytes are an intact header of a log of ours.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == WriteAheadLog.headerByteCount, bytes.word(0) & ~1 == 0x377f_0682,
                bytes.word(4) == WriteAheadLog.version, bytes.word(8) == UInt32(Database.pageByteCount)
            else { return nil }
            isBigEndian = bytes.word(0) & 1 == 1
            var checksum = Checksum()
            checksum.add(bytes[..<24], isBigEndian: isBigEndian)
            guard checksum.first == bytes.word(24), checksum.second == bytes.word(28) else { return nil }
            self.checksum = checksum
            salts = bytes[16..<24]
        }
    }

    fileprivate struct Checksum {
        private(set) var first: UInt32 = 0
        private(set) var second: UInt32 = 0

        /// Continues the checksum over bytes, a multiple of eight.
        mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
            var (one, two) = (first, second)
            for index in stride(from: 0, to: bytes.count, by: 8) {
                let words = (bytes.word(index), bytes.word(index + 4))
                one = one &+ (isBigEndian ? words.0 : words.0.byteSwapped) &+ two
                two = two &+ (isBigEndian ? words.1 : words.1.byteSwapped) &+ one
            }
            (first, second) = (one, two)
        }
    }
}

extension [UInt8] {
    fileprivate func isOf(_ header: WriteAheadLog.Header) -> Bool { self[8..<16] == header.salts }
}

extension RandomAccessCollection<UInt8> where Index == Int {
    /// Reads a big-endian number of four bytes.
    fileprivate func word(_ offset: Int) -> UInt32 {
        let start = startIndex + offset
        return UInt32(self[start]) << 24 | UInt32(self[start + 1]) << 16 | UInt32(self[start + 2]) << 8
            | UInt32(self[start + 3])
    }
}
