import Synchronization
import Testing
import ThumbturnFiles
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("Turns to write", .timeLimit(.minutes(10))) struct TurnTests {
    @Test func `who has written goes behind a process that waits`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (ProcessLine(beside: folder.file("db")), ProcessLine(beside: folder.file("db")))
        let order = Mutex<[String]>([])
        #expect(first.enter(withinMilliseconds: 60_000))
        try onThreads(2) { index in
            if index == 0 {
                #expect(second.enter(withinMilliseconds: 60_000))
                order.withLock { $0.append("second") }
                second.leave()
            } else {
                // It is in line once the second file is locked.
                let watcher = try FileLock(folder.file("db.next"))
                let end = ContinuousClock.now + .seconds(60)
                while try watcher.tryAcquire(), ContinuousClock.now < end { watcher.release() }
                first.leave()
                #expect(first.enter(withinMilliseconds: 60_000))
                order.withLock { $0.append("first") }
                first.leave()
            }
        }
        #expect(order.withLock { $0 } == ["second", "first"])
    }

    @Test func `a process that keeps the turn is not waited for without end`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (ProcessLine(beside: folder.file("db")), ProcessLine(beside: folder.file("db")))
        #expect(first.enter(withinMilliseconds: 10))
        #expect(!second.enter(withinMilliseconds: 10))
        first.leave()
        #expect(second.enter(withinMilliseconds: 10))
    }

    @Test func `where no line can be made, nobody is held up`() {
        let line = ProcessLine(beside: "/nowhere/db")
        #expect(line.enter(withinMilliseconds: 10))
        line.leave()
    }

    @Test func `one thread has the turn, and the others wait for so long`() throws {
        let folder = try TemporaryFolder()
        let file = SQLiteFile(folder.file("db"))
        try file.takeTurn(withinMilliseconds: 0)
        #expect(throws: StoreError.busy) { try file.takeTurn(withinMilliseconds: 0) }
        file.endTurn()
        let inside = Mutex((now: 0, most: 0))
        try onThreads(8) { _ in
            for _ in 1...50 {
                try file.takeTurn(withinMilliseconds: 60_000)
                inside.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
                inside.withLock { $0.now -= 1 }
                file.endTurn()
            }
        }
        #expect(inside.withLock { $0.most } == 1)
    }
}
