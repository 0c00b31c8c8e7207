/// What a database's log holds, read as SQLite does when it recovers one, and nothing written.
///
/// The form is SQLite's (<https://www.sqlite.org/fileformat2.html#the_write_ahead_log>): a header, then frames, each a page
/// behind a header of its own. A frame counts where its salts are the header's and its checksum, which goes on from the one
/// before it, is right, up to the last frame that ends a commit.
package struct WriteAheadLog: Sendable {
    package static let headerByteCount = 32
    /// What a page takes in the log.
    package static let frameByteCount = frameHeaderByteCount + Int(Database.pageByteCount)
    private static let frameHeaderByteCount = 24
    private static let version: UInt32 = 3_007_000

    /// Where each page that was committed lies in the log, by its number, counted from 0.
    package private(set) var pages: [Int: Int] = [:]
    /// How many pages the database has after the last commit; nil where nothing is committed.
    package private(set) var pageCount: Int?
    /// Where the last commit ends; behind the header where there is none.
    package private(set) var end = headerByteCount
    /// Whether something was written to it that can't be read any more: what was committed last may be missing.
    package private(set) var isDamaged = false

    /// Reads a log.
    ///
    /// - Parameters:
    ///   - byteCount: how long it is.
    ///   - read: gives the bytes from an offset, fewer where the file ends before.
    package init<Failure: Error>(
        byteCount: Int,
        read: (_ offset: Int, _ count: Int) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        let header = try read(0, Self.headerByteCount)
        guard let start = Header(header) else {
            // One that has only room in it was not begun.
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
        // Frames behind the last commit are of a transaction that was not finished, or of one that was undone. But the end of
        // a commit that no chain leads to was written, and is lost. One whose page was not written yet is no end.
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

        /// - Returns: nil for anything but the header of a log of ours, whole.
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

        /// Goes on over bytes, a multiple of eight.
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
    /// A number of four bytes, the highest first.
    fileprivate func word(_ offset: Int) -> UInt32 {
        let start = startIndex + offset
        return UInt32(self[start]) << 24 | UInt32(self[start + 1]) << 16 | UInt32(self[start + 2]) << 8
            | UInt32(self[start + 3])
    }
}
