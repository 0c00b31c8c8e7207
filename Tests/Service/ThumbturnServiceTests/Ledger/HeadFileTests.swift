import Glibc
import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnFiles
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("The heads that are kept beside a database", .timeLimit(.minutes(10))) struct HeadFileTests {
    private static func head(_ origin: String, _ size: UInt64, _ seed: String = "") throws -> AuditCheckpoint {
        try AuditCheckpoint(origin: origin, size: size, root: SHA256.digest(Array("\(origin) \(size)\(seed)".utf8)))
    }

    private let folder: TemporaryFolder
    private let file: HeadFile

    init() throws {
        folder = try TemporaryFolder()
        file = HeadFile(folder.file("audit.heads"))
    }

    @Test(.holds("SVC-23")) func `of each log the larger head is kept, and what other logs have stays`() throws {
        #expect(try file.heads().isEmpty && HeadFile(folder.file("none/audit.heads")).heads().isEmpty)
        let (a3, a5, b1) = (try Self.head("a", 3), try Self.head("a", 5), try Self.head("b", 1))
        try file.keep([b1, a3])
        #expect(try file.heads() == [a3, b1])
        try file.keep([Self.head("a", 2)])
        #expect(try file.heads() == [a3, b1])
        try file.keep([a5])
        #expect(try file.heads() == [a5, b1])
    }

    @Test(.holds("SVC-23")) func `a file that another program wrote, or that others may read, is refused`() throws {
        try file.keep([Self.head("a", 3)])
        let whole = try Descriptor(opening: file.path, .plainFile).contents(upTo: 1 << 10)
        let others: [[UInt8]] = [
            Array(whole.dropLast()), whole + [0], whole + whole.dropLast(3), Array("a\n03\n".utf8), [0x0A],
        ]
        for bytes in others {
            try OpenFolder(folder.path).replaceForTest("audit.heads", by: bytes)
            #expect(throws: FileError.cutShort) { try file.heads() }
            #expect(throws: FileError.cutShort) { try file.keep([Self.head("a", 4)]) }
        }
        try OpenFolder(folder.path).replaceForTest("audit.heads", by: whole)
        try #require(unsafe chmod(file.path, 0o644) == 0)
        #expect(throws: FileError.refused(.wrongMode)) { try file.heads() }
    }

    @Test(.holds("SVC-23", "A45"), arguments: Backing.allCases)
    func `a database is behind a head that its log does not reach or pass through`(backing: Backing) throws {
        let store = try StoreRoom(backing).open()
        let logs = try TestLog.all(2, in: store)
        let plan = LedgerPlan(count: 2)
        for log in logs {
            for count in [1, 299] {
                try log.add(count: count)
                try log.sign()
            }
        }
        func missing(_ heads: AuditCheckpoint..., plan: LedgerPlan = plan) throws -> AuditCheckpoint? {
            try AuditLedger.missing(heads, from: plan, of: ServiceRoom.origin, in: store)
        }
        for log in logs {
            for note in log.notes { #expect(try missing(note.checkpoint) == nil) }
            for head in [try Self.head(log.origin, 301), try Self.head(log.origin, 300), try Self.head(log.origin, 1)] {
                #expect(try missing(head) == head)
            }
            // A log without leaves contradicts nothing.
            #expect(try missing(Self.head(log.origin, 0)) == nil)
        }
        #expect(try missing(Self.head("another", 7)) == nil)
        let later = try Self.head(ServiceRoom.origin + "/r1/1", 0)
        #expect(try missing(later) == later)
        // A log that no sequencer has begun yet.
        #expect(try missing(later, plan: plan.next) == nil)
        let begun = try Self.head(ServiceRoom.origin + "/r1/1", 1)
        #expect(try missing(begun, plan: plan.next) == begun)
    }

    @Test(.holds("SVC-23"), arguments: Backing.allCases)
    func `a ledger keeps its newest signed heads, within two seconds and when it stops`(backing: Backing) throws {
        let store = try StoreRoom(backing)
        let plan = try AuditLedger.establish(1, in: store.open())
        let room = LedgerRoom(store, plan, TestSigner(), TestClock(), keeping: file)
        let trail = try TestTrail().grow(4)
        try room.receipt(trail.upload(0..<3))
        let first = try room.waitForSigned(3).note.checkpoint
        let deadline = MonotonicClock.milliseconds + 2_000
        while try file.heads() != [first], MonotonicClock.milliseconds < deadline { usleep(20_000) }
        #expect(try file.heads() == [first])
        try room.receipt(trail.upload(3..<4))
        let last = try room.waitForSigned(4).note.checkpoint
        room.ledger.stop()
        #expect(try file.heads() == [last])
        // Another instance that knows less begins behind it, and takes nothing back.
        #expect(try AuditLedger.missing(file.heads(), from: plan, of: LedgerRoom.origin, in: store.open()) == nil)
    }

    @Test func `where they can't be kept the log goes on, and says so once`() throws {
        let store = try StoreRoom(.sqlite)
        let plan = try AuditLedger.establish(1, in: store.open())
        let nowhere = HeadFile(folder.file("none/audit.heads"))
        let room = LedgerRoom(store, plan, TestSigner(), TestClock(), keeping: nowhere)
        let trail = try TestTrail().grow(2)
        for place in 0..<2 {
            try room.receipt(trail.upload(place..<place + 1))
            usleep(1_200_000)
        }
        #expect(room.lines.all.filter { $0.contains("heads not kept") }.count == 1)
    }
}

extension OpenFolder {
    fileprivate borrowing func replaceForTest(_ name: String, by bytes: [UInt8]) throws {
        try bytes.lent { (bytes) throws(FileError) in try replace(name, by: bytes) }
    }
}
