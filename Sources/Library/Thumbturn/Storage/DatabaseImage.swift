import ThumbturnBase
import ThumbturnFiles
import ThumbturnRules
import ThumbturnSQLite

/// A database file with its log, both as of one instant: what SQLite would find there after a crash.
///
/// Writes nothing and opens no database, so it works on a full or read-only disk, and while another command is running.
final class DatabaseImage {
    private let file: HeldFile
    private let log: HeldFile?
    private let commits: WriteAheadLog?

    /// Whether the log is unreadable or not a log, or has a part that can't be read any more.
    let isLogDamaged: Bool
    var hasCommits: Bool { commits?.pageCount != nil }

    /// Reads the file at a path, which may be anywhere, and the log beside it.
    ///
    /// A log that is no plain file or can't be read does not block the file: it is then read alone.
    ///
    /// - Throws: `.vaultMissing`, `.vaultUnsafe` when it is no plain file, `.backupTooLarge`, `.storageUnavailable`,
    ///   `.busy` when the two kept changing.
    convenience init(_ path: String) throws(VaultError) { try self.init(path) { () throws(VaultError) in } }

    /// Reads the file and log at a path.
    ///
    /// - Parameter meanwhile: runs between two looks, for tests that change the files.
    init(_ path: String, meanwhile: () throws(VaultError) -> Void) throws(VaultError) {
        var former = try Self.take(path)
        // Two equal consecutive looks show the state of one instant between them.
        for _ in 0..<100 {
            try meanwhile()
            let found = try Self.take(path)
            if found.file.isSame(as: former.file), Self.areSame(found.log, former.log) {
                file = found.file
                (log, commits, isLogDamaged) = try Self.read(found.log)
                return
            }
            former = found
        }
        throw VaultError(ErrorCode.busy)
    }

    /// What is in the log's place.
    private enum Log {
        case none, unreadable
        case held(HeldFile)
    }

    private static func take(_ path: String) throws(VaultError) -> (file: HeldFile, log: Log) {
        let file = try HeldFile(path)
        do throws(VaultError) {
            let log = try HeldFile(path + "-wal")
            return (file, log.byteCount > 0 ? .held(log) : .none)
        } catch {
            return (file, error.code == .vaultMissing ? .none : .unreadable)
        }
    }

    private static func read(_ log: Log) throws(VaultError) -> (HeldFile?, WriteAheadLog?, isDamaged: Bool) {
        guard case .held(let file) = log else {
            if case .unreadable = log { return (nil, nil, true) }
            return (nil, nil, false)
        }
        do throws(VaultError) {
            let commits = try WriteAheadLog(byteCount: file.byteCount, read: file.read)
            return (file, commits, commits.isDamaged)
        } catch {
            guard error.code != .busy else { throw error }
            return (nil, nil, true)
        }
    }

    private static func areSame(_ one: Log, _ other: Log) -> Bool {
        switch (one, other) {
        case (.none, .none), (.unreadable, .unreadable): true
        case (.held(let one), .held(let other)): one.isSame(as: other)
        case (.none, _), (.unreadable, _), (.held, _): false
        }
    }

    /// The file's length after its log is moved into it.
    var byteCount: Int { commits?.pageCount.map { $0 * Self.pageSize } ?? file.byteCount }

    /// Returns bytes, with the log's pages replacing the file's; fewer at the end of the file.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        guard let commits, let log, commits.pageCount != nil else { return try file.read(at: offset, count: count) }
        var bytes: [UInt8] = []
        let end = min(offset + count, byteCount)
        while offset + bytes.count < end {
            let position = offset + bytes.count
            let (page, start) = position.quotientAndRemainder(dividingBy: Self.pageSize)
            let wanted = min(Self.pageSize - start, end - position)
            let some =
                if let place = commits.pages[page] {
                    try log.read(at: place + start, count: wanted)
                } else {
                    try file.read(at: position, count: wanted)
                }
            bytes += some
            if some.count < wanted { break }
        }
        return bytes
    }

    /// Scans the file including its log.
    func scan() throws(VaultError) -> RowScan { try RowScan(byteCount: byteCount, read: read) }

    /// Scans the file as if it had no log.
    func scanWithoutLog() throws(VaultError) -> RowScan { try RowScan(byteCount: file.byteCount, read: file.read) }

    private static let pageSize = Int(Database.pageByteCount)
}

extension DatabaseImage {
    /// Whether nothing proves that the log belongs to this file: the file names a vault, and no page of the log does.
    ///
    /// Salts and checksums prove that a log is intact, not which file it belongs to. If the file names no vault yet,
    /// all data is in the log.
    var logMayBeForeign: Bool {
        get throws(VaultError) {
            guard let log, let commits, commits.pageCount != nil else { return false }
            let alone = try scanWithoutLog()
            var vaults: Set<Identifier> = []
            for number in 0..<alone.pageCount {
                guard let page = try? alone.page(number) else { continue }
                vaults.formUnion(alone.recoverySlots(in: page).map(\.vault))
            }
            guard !vaults.isEmpty else { return false }
            for place in commits.pages.values {
                let page = try log.read(at: place, count: Self.pageSize)
                if vaults.contains(where: { RowScan.holds($0.bytes, in: page) }) { return false }
            }
            return true
        }
    }
}

/// A file's bytes at one time: a copy in memory, or for a large file, the file itself as long as it is unchanged.
private final class HeldFile {
    private static let mostInMemory = 1 << 27
    private let file: PlainFile
    private let copy: [UInt8]?
    let byteCount: Int

    init(_ path: String) throws(VaultError) {
        file = try PlainFile(path)
        guard file.byteCount <= Self.mostInMemory else {
            (copy, byteCount) = (nil, file.byteCount)
            return
        }
        let bytes = try file.read(at: 0, count: file.byteCount)
        (copy, byteCount) = (bytes, bytes.count)
    }

    /// Returns bytes of the file.
    ///
    /// - Throws: `.busy` when the file has changed.
    func read(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
        guard let copy else {
            let bytes = try file.read(at: offset, count: count)
            guard try file.isUnchanged else { throw VaultError(ErrorCode.busy) }
            return bytes
        }
        guard offset < copy.count else { return [] }
        return Array(copy[offset..<min(copy.count, offset + count)])
    }

    func isSame(as other: HeldFile) -> Bool {
        guard let copy, let known = other.copy else { return file.hasStatus(of: other.file) }
        return copy == known
    }
}
