import CSQLite
import Foundation
import Synchronization
import Testing
import ThumbturnFiles
import ThumbturnTestKit

@testable import ThumbturnSQLite

@Suite struct DatabaseOpeningTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func open(_ path: String? = nil, format: Database.Format = Sample.format) throws -> Database {
        try Database(opening: path ?? folder.file, format: format)
    }

    private func makeVault() throws {
        try Sample.create(at: folder.file).close()
    }

    @Test(.holds("A38")) func `a file that can't be looked at counts neither as empty nor as absent`() throws {
        try makeVault()
        let location = try DatabaseLocation(resolving: folder.file)
        #expect(try location.byteCount() > 0)
        #expect(try location.byteCount(ofFileWith: "-none") == 0)
        let tooLong = String(repeating: "x", count: 300)
        #expect(throws: SQLiteError.cannotOpen) { try location.byteCount(ofFileWith: tooLong) }
    }

    @Test(.holds("A38")) func `whoever opens a database while another makes it finds the whole`() throws {
        let errors = Mutex<[SQLiteError]>([])
        let isOver = Atomic(false)
        defer { isOver.store(true, ordering: .relaxed) }
        for _ in 0..<20 {
            try folder.replaceContents(with: [:])
            let group = DispatchGroup()
            for _ in 0..<2 {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    while Database.presence(of: folder.file) == .absent, !isOver.load(ordering: .relaxed) {}
                    do throws(SQLiteError) { try Database(opening: folder.file, format: Sample.format).close() } catch {
                        errors.withLock { $0.append(error) }
                    }
                }
            }
            try makeVault()
            group.wait()
        }
        #expect(errors.withLock { $0 } == [])
    }

    // MARK: Creating

    @Test func `a new database and its folder are this user's alone`() throws {
        let database = try Sample.create(at: folder.file)
        for name in ["", "/vault.db", "/vault.db-wal", "/vault.db-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.folder + name)
            #expect(attributes[.posixPermissions] as? Int == (name.isEmpty ? 0o700 : 0o600), "\(name)")
        }
        database.close()
        #expect(try Sample.generation(of: open()) == 0)
        #expect(try folder.contents().keys.sorted() == ["vault.db", "vault.db-shm", "vault.db-wal"])
        #expect(try folder.contents()["vault.db-wal"]?.isEmpty == true)
    }

    @Test func `nothing that exists is created over`() throws {
        try makeVault()
        let before = try folder.contents()
        #expect(throws: SQLiteError.cannotOpen) { try Database(creating: folder.file, format: Sample.format) }
        #expect(try folder.contents() == before)
    }

    @Test func `an empty file is no vault, but a creation may take it over`() throws {
        try folder.replaceContents(with: ["vault.db": Data()])
        #expect(throws: SQLiteError.notADatabase) { try open() }
        #expect(try folder.contents() == ["vault.db": Data()])
        try makeVault()
        #expect(try Sample.generation(of: open()) == 0)
    }

    @Test(.holds("A40")) func `an emptied file whose log has rows is neither opened nor created over`() throws {
        let files = ["vault.db": Data(), "vault.db-wal": Data([1])]
        try folder.replaceContents(with: files)
        #expect(throws: SQLiteError.notADatabase) { try open() }
        #expect(throws: SQLiteError.cannotOpen) { try Database(creating: folder.file, format: Sample.format) }
        #expect(try folder.contents() == files)
    }

    @Test(arguments: ["", "vault/", "vault/..", "missing/vault/vault.db", "vault\u{0}/vault.db"])
    func `a path that names no file in a folder is refused`(tail: String) throws {
        let path = folder.path + "/" + tail
        #expect(throws: SQLiteError.cannotOpen) { try Database(creating: path, format: Sample.format) }
        #expect(throws: SQLiteError.cannotOpen) { try open(path) }
    }

    @Test func `opening a missing vault creates nothing`() throws {
        #expect(throws: SQLiteError.cannotOpen) { try open() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        try folder.replaceContents(with: [:])
        #expect(throws: SQLiteError.cannotOpen) { try open() }
        #expect(try folder.contents().isEmpty)
    }

    @Test(.holds("A19")) func `only a missing file counts as absent`() throws {
        #expect(Database.presence(of: folder.file) == .absent)
        try makeVault()
        #expect(Database.presence(of: folder.file) == .present)
        #expect(Database.presence(of: folder.file + "/below") == .unreachable(errno: ENOTDIR))
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/dangling", withDestinationPath: "nowhere")
        #expect(Database.presence(of: folder.path + "/dangling") == .present)
        let long = folder.path + "/" + String(repeating: "x", count: 300)
        #expect(Database.presence(of: long) == .unreachable(errno: ENAMETOOLONG))
    }

    @Test func `what a creation left that was cut off goes with the next one, whatever it is`() throws {
        try makeVault()
        var files = try folder.contents()
        for (name, data) in files { files[name.replacing("vault.db", with: "vault.db.new")] = data.prefix(9_000) }
        files = files.filter { $0.key.hasPrefix("vault.db.new") }
        files["vault.db.new-journal"] = Self.journal(naming: folder.path + "/victim")
        try write(Data("mine".utf8), to: folder.path + "/victim")
        try folder.replaceContents(with: files)
        #expect(Database.presence(of: folder.file) == .absent)
        try makeVault()
        #expect(try Sample.generation(of: open()) == 0)
        #expect(try folder.contents().keys.allSatisfy { !$0.contains(".new") })
        #expect(FileManager.default.fileExists(atPath: folder.path + "/victim"))
    }

    // MARK: Journals

    private static func journal(naming victim: String, page: Data? = nil) -> Data {
        Data(PlantedJournal.bytes(naming: victim, page: page.map(Array.init)))
    }

    /// What SQLite alone does where such a journal lies: else these tests would hold of any journal.
    @Test func `sqlite deletes whatever file a journal names`() throws {
        try makeVault()
        let victim = folder.path + "/victim"
        try write(Data("mine".utf8), to: victim)
        try write(Self.journal(naming: victim), to: folder.file + "-journal")
        var other: OpaquePointer?
        #expect(unsafe sqlite3_open(folder.file, &other) == SQLITE_OK)
        _ = unsafe sqlite3_exec(other, "SELECT * FROM head", nil, nil, nil)
        unsafe sqlite3_close(other)
        #expect(!FileManager.default.fileExists(atPath: victim))
    }

    @Test(.holds("A39"), arguments: ["name", "page", "link", "folder", "pipe"])
    func `a journal beside a database is set aside, and neither played back nor followed`(kind: String) throws {
        try makeVault()
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.file))
        let (victim, journal) = (folder.path + "/victim", folder.file + "-journal")
        try write(Data("mine".utf8), to: victim)
        switch kind {
        case "link": try FileManager.default.createSymbolicLink(atPath: journal, withDestinationPath: victim)
        case "folder": try makeFolder(journal)
        case "pipe": try #require(unsafe mkfifo(journal, 0o600) == 0)
        default:
            try write(
                Self.journal(naming: victim, page: kind == "page" ? Data(repeating: 0, count: 4_096) : nil),
                to: journal
            )
        }
        for number in 1...2 {
            #expect(try Sample.generation(of: open()) == 0)
            #expect(Database.presence(of: journal) == .absent)
            #expect(Database.presence(of: journal + ".not-ours" + (number == 1 ? "" : "-2")) == .present)
            try write(Self.journal(naming: victim), to: journal)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file)) == before)
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("mine".utf8))
    }

    @Test(.holds("A39")) func `a journal that comes while a database is open is not played back`() throws {
        try makeVault()
        let victim = folder.path + "/victim"
        try write(Data("mine".utf8), to: victim)
        let database = try open()
        try write(Self.journal(naming: victim, page: Data(repeating: 0, count: 4_096)), to: folder.file + "-journal")
        try Sample.advance(database)
        database.close()
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("mine".utf8))
        #expect(try Sample.generation(of: open()) == 1)
    }

    @Test(.holds("A39"), arguments: [false, true])
    func `a file whose header names no log is no database, and a journal beside it stays`(hasJournal: Bool) throws {
        try makeVault()
        var other: OpaquePointer?
        #expect(unsafe sqlite3_open(folder.file, &other) == SQLITE_OK)
        #expect(unsafe sqlite3_exec(other, "PRAGMA journal_mode = DELETE", nil, nil, nil) == SQLITE_OK)
        unsafe sqlite3_close(other)
        let victim = folder.path + "/victim"
        try write(Data("mine".utf8), to: victim)
        if hasJournal { try write(Self.journal(naming: victim), to: folder.file + "-journal") }
        let files = try folder.contents()
        #expect(throws: SQLiteError.notADatabase) { try open() }
        #expect(throws: SQLiteError.cannotOpen) { try Database(creating: folder.file, format: Sample.format) }
        #expect(try folder.contents() == files)
        #expect(FileManager.default.fileExists(atPath: victim))
    }

    @Test(.holds("A39")) func `a journal beside nothing, or an empty file, does nothing to a creation`() throws {
        let victim = folder.path + "/victim"
        try write(Data("mine".utf8), to: victim)
        for files in [[:], ["vault.db": Data()]] as [[String: Data]] {
            try folder.replaceContents(with: files)
            try write(Self.journal(naming: victim), to: folder.file + "-journal")
            #expect(throws: SQLiteError.self) { try open() }
            try makeVault()
            #expect(try Sample.generation(of: open()) == 0)
            #expect(FileManager.default.fileExists(atPath: victim))
        }
    }

    // MARK: Planted objects

    enum Planted: CaseIterable {
        case symbolicLink, hardLink, pipe, folder, worldReadable, groupWritable, linkedLog, hardLinkedLog, logFolder
        case linkedIndex, hardLinkedIndex, indexFolder, readableLog, openFolder, linkedFolder, foreignFile,
            foreignFolder
    }

    @Test(.holds("A39"), arguments: Planted.allCases)
    func `a planted object is refused and stays as it is`(planted: Planted) throws {
        try makeVault()
        let manager = FileManager.default
        let file = folder.file
        let elsewhere = folder.path + "/elsewhere"
        let original = try Data(contentsOf: URL(fileURLWithPath: file))
        let needsRoot = planted == .foreignFile || planted == .foreignFolder
        if needsRoot, geteuid() != 0 { try Test.cancel("only root can give a file away") }

        let reason: SQLiteError
        switch planted {
        case .symbolicLink:
            try manager.moveItem(atPath: file, toPath: elsewhere)
            try manager.createSymbolicLink(atPath: file, withDestinationPath: elsewhere)
            reason = .unsafeFile(.symbolicLink)
        case .hardLink:
            try manager.linkItem(atPath: file, toPath: elsewhere)
            reason = .unsafeFile(.hardLinked)
        case .pipe:
            try manager.moveItem(atPath: file, toPath: elsewhere)
            try #require(unsafe mkfifo(file, 0o600) == 0)
            reason = .unsafeFile(.notARegularFile)
        case .folder:
            try manager.moveItem(atPath: file, toPath: elsewhere)
            try makeFolder(file)
            reason = .unsafeFile(.notARegularFile)
        case .worldReadable:
            try manager.setAttributes([.posixPermissions: 0o604], ofItemAtPath: file)
            reason = .unsafeFile(.wrongMode)
        case .groupWritable:
            try manager.setAttributes([.posixPermissions: 0o620], ofItemAtPath: file)
            reason = .unsafeFile(.wrongMode)
        case .linkedLog:
            try manager.removeItem(atPath: file + "-wal")
            try manager.createSymbolicLink(atPath: file + "-wal", withDestinationPath: elsewhere)
            reason = .unsafeFile(.symbolicLink)
        case .hardLinkedLog, .hardLinkedIndex:
            let side = file + (planted == .hardLinkedLog ? "-wal" : "-shm")
            try manager.removeItem(atPath: side)
            try original.write(to: URL(fileURLWithPath: elsewhere))
            try manager.linkItem(atPath: elsewhere, toPath: side)
            reason = .unsafeFile(.hardLinked)
        case .linkedIndex:
            try manager.removeItem(atPath: file + "-shm")
            try original.write(to: URL(fileURLWithPath: elsewhere))
            try manager.createSymbolicLink(atPath: file + "-shm", withDestinationPath: elsewhere)
            reason = .unsafeFile(.symbolicLink)
        case .logFolder, .indexFolder:
            let side = file + (planted == .logFolder ? "-wal" : "-shm")
            try manager.removeItem(atPath: side)
            try makeFolder(side)
            reason = .unsafeFile(.notARegularFile)
        case .readableLog:
            try write(Data(), to: file + "-wal")
            try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file + "-wal")
            reason = .unsafeFile(.wrongMode)
        case .openFolder:
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.folder)
            reason = .unsafeFolder(.wrongMode)
        case .linkedFolder:
            try manager.moveItem(atPath: folder.folder, toPath: elsewhere)
            try manager.createSymbolicLink(atPath: folder.folder, withDestinationPath: elsewhere)
            reason = .unsafeFolder(.symbolicLink)
        case .foreignFile:
            try manager.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: file)
            reason = .unsafeFile(.wrongOwner)
        case .foreignFolder:
            try manager.setAttributes([.ownerAccountID: 12_345], ofItemAtPath: folder.folder)
            reason = .unsafeFolder(.wrongOwner)
        }
        #expect(throws: reason) { try open() }
        #expect(throws: SQLiteError.self) { try Database(creating: file, format: Sample.format) }
        let places = [file, elsewhere, elsewhere + "/vault.db"].compactMap { path in
            planted == .pipe && path == file ? nil : try? Data(contentsOf: URL(fileURLWithPath: path))
        }
        #expect(!places.isEmpty && places.allSatisfy { $0 == original })
    }

    @Test func `a symbolic link above the vault's folder is followed`() throws {
        try makeVault()
        let link = folder.path + "/link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        #expect(try Sample.generation(of: open(link + "/vault/vault.db")) == 0)
        #expect(try Sample.generation(of: open(link + "/vault//vault.db")) == 0)
    }

    // MARK: Formats

    @Test func `another program's database, a newer and an older format are told apart`() throws {
        try makeVault()
        let before = try folder.contents()["vault.db"]
        func format(_ id: Int32 = Sample.format.applicationID, _ version: Int32 = 3, _ schema: [String]? = nil)
            -> Database.Format
        {
            Database.Format(applicationID: id, version: version, schema: schema ?? Sample.format.first.schema)
        }
        #expect(throws: SQLiteError.notADatabase) { try open(format: format(1)) }
        #expect(throws: SQLiteError.newerFormat(3)) { try open(format: format(Sample.format.applicationID, 2)) }
        #expect(throws: SQLiteError.schemaMismatch) { try open(format: format(Sample.format.applicationID, 4)) }
        #expect(throws: SQLiteError.schemaMismatch) {
            try open(format: format(Sample.format.applicationID, 3, Array(Sample.format.first.schema.reversed())))
        }
        #expect(try folder.contents()["vault.db"] == before)
    }

    @Test(
        .holds("A41"),
        arguments: [
            "CREATE TRIGGER spy AFTER UPDATE ON head BEGIN DELETE FROM envelope; END",
            "CREATE VIEW spy AS SELECT * FROM head", "CREATE TABLE spy(a)", "CREATE INDEX spy ON head(note)",
        ]
    )
    func `a foreign trigger, view, table or index is refused`(foreign: String) throws {
        let forged = Database.Format(
            applicationID: Sample.format.applicationID,
            version: Sample.format.first.number,
            schema: Sample.format.first.schema + [foreign]
        )
        try Database(creating: folder.file, format: forged).close()
        #expect(throws: SQLiteError.schemaMismatch) { try open() }
    }

    // MARK: Damage

    @Test(.holds("A40")) func `garbage is no database`() throws {
        for count in [1, 15, 16, 100, 511, 512, 4_096, 10_000] {
            let garbage = ["vault.db": Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ 7) })]
            try folder.replaceContents(with: garbage)
            #expect(throws: SQLiteError.notADatabase) { try open() }
            #expect(try folder.contents() == garbage)
        }
    }

    @Test(.holds("A40")) func `a file cut in its header, at a border or between opens as before or not at all`() throws
    {
        try makeVault()
        let whole = try #require(try folder.contents()["vault.db"])
        #expect(whole.count > 8_192)
        // Between two borders one length is like the other.
        for length in (0..<whole.count).reversed() where length < 512 || (length + 1) % 512 < 3 || length % 61 == 0 {
            try #require(unsafe truncate(folder.file, off_t(length)) == 0)
            #expect(throws: SQLiteError.self, "\(length)") { try open() }
            if length % 512 == 0 { #expect(try folder.contents()["vault.db"] == whole.prefix(length)) }
        }
        try folder.replaceContents(with: ["vault.db": whole])
        #expect(try Sample.generation(of: open()) == 0)
    }

    @Test(.holds("A40")) func `no byte of the header makes a file read-only: that is damage`() throws {
        try makeVault()
        let whole = try #require(try folder.contents()["vault.db"])
        for place in 0..<100 {
            for bit in 0..<8 {
                var changed = whole
                changed[place] ^= 1 << UInt8(bit)
                try folder.replaceContents(with: ["vault.db": changed])
                do {
                    try Sample.advance(try open())
                } catch {
                    #expect(![.readOnly, .cannotOpen].contains(error as? SQLiteError), "byte \(place), bit \(bit)")
                }
            }
        }
    }

    #if os(Linux)
    @Test(.enabled(if: geteuid() == 0, "only the superuser mounts a disk"))
    func `a disk that is read-only is no damage`() throws {
        try makeVault()
        let target = folder.folder
        try #require(unsafe mount(target, target, nil, UInt(MS_BIND), nil) == 0)
        defer { unsafe umount2(target, Int32(MNT_DETACH)) }
        try #require(unsafe mount(nil, target, nil, UInt(MS_BIND | MS_REMOUNT | MS_RDONLY), nil) == 0)
        #expect(throws: SQLiteError.readOnly) { try open() }
    }
    #endif

    @Test(.holds("A40"), arguments: [UInt8(1), 2])
    func `a number of pages that is too small is damage, beside a log too`(less: UInt8) throws {
        let database = try Sample.create(at: folder.file)
        try database.truncateLog()
        try database.begin()
        // One page, and not the first: the file's own header stands.
        try database.run("UPDATE head SET generation = 1")
        try database.commit()
        var files = try folder.contents()
        files["vault.db-shm"] = nil
        database.close()
        try folder.replaceContents(with: files)
        #expect(throws: Never.self) { try open().close() }
        files["vault.db"]?[31] -= less
        try folder.replaceContents(with: files)
        #expect(throws: SQLiteError.corrupt) { try open() }
    }

    @Test(.holds("A40")) func `a file that says it moves its own pages is damaged`() throws {
        try makeVault()
        var whole = try #require(try folder.contents()["vault.db"])
        // The largest root page: any but 0 turns SQLite's automatic vacuum on, and ours never is.
        whole[55] = 2
        try folder.replaceContents(with: ["vault.db": whole])
        #expect(throws: SQLiteError.corrupt) { try open() }
    }

    @Test(.holds("A40")) func `a log cut at any length opens as some earlier commit`() throws {
        let database = try Sample.create(at: folder.file)
        try database.truncateLog()
        for _ in 1...2 { try Sample.advance(database) }
        var files = try folder.contents()
        files["vault.db-shm"] = nil
        database.close()
        let log = try #require(files["vault.db-wal"])
        var generation: Int64 = 0
        for length in Array(stride(from: 0, to: log.count, by: 24)) + [log.count] {
            files["vault.db-wal"] = log.prefix(length)
            try folder.replaceContents(with: files)
            let found = try Sample.generation(of: open())
            #expect(found == generation || found == generation + 1)
            generation = found
        }
        #expect(generation == 2)
    }

    @Test(.holds("A41")) func `a mutated file traps nowhere`() throws {
        try makeVault()
        let whole = try #require(try folder.contents()["vault.db"])
        var generator = Congruential(state: 107)
        var refused = 0
        for _ in 1...1_000 {
            var mutated = whole
            for _ in 1...Int.random(in: 1...8, using: &generator) {
                // Half of them in the header and the schema.
                let place = Int.random(in: 0..<(Bool.random(using: &generator) ? 600 : whole.count), using: &generator)
                mutated[place] = UInt8.random(in: 0...255, using: &generator)
            }
            try folder.replaceContents(with: ["vault.db": mutated])
            do {
                let database = try open()
                _ = try database.rows("SELECT * FROM head, envelope")
                try Sample.advance(database)
            } catch is SQLiteError {
                refused += 1
            }
        }
        #expect(refused > 100)
    }
}

/// A generator (Knuth's MMIX constants) that mutates the same places in every run.
private struct Congruential: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 32)
    }
}
