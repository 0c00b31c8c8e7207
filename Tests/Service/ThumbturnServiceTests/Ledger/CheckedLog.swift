import Testing
import ThumbturnAudit
import ThumbturnRules

@testable import ThumbturnService

/// A log of 600 leaves and some: two devices, three chains, several heads, and leaves that are not signed yet.
final class CheckedLog {
    let room: StoreRoom
    let log: TestLog
    let first: TestChain
    let second: TestChain
    let other: TestChain

    init(_ backing: Backing) throws {
        room = try StoreRoom(backing)
        log = try TestLog.all(1, in: room.open())[0]
        let device = try TestChain.Device()
        first = TestChain(device)
        try log.add(count: 200)
        try first.deliver(100, to: log)
        try log.sign()
        log.time = Milliseconds(log.time.count + 86_400_000)
        other = TestChain(try TestChain.Device())
        try other.deliver(30, to: log)
        try log.add(count: 250)
        try log.sign()
        try first.deliver(3, to: log)
        second = TestChain(device, after: first.end)
        try second.deliver(20, to: log)
        try log.sign()
        try log.add(count: 2)
    }

    /// Changes the tables, and tells what is found.
    func report(
        before: Milliseconds? = nil,
        _ change: (any StoreTransaction) throws(StoreError) -> Void = { _ throws(StoreError) in }
    ) throws -> LedgerReport.Log {
        let store = try room.open()
        try store.transaction(change)
        return try #require(try LedgerCheck.run(in: store, before: before)).logs[0]
    }

    func faults(_ change: (any StoreTransaction) throws(StoreError) -> Void) throws -> [LedgerFault] {
        let report = try report(change)
        #expect(report.faultCount == report.faults.count)
        return report.faults
    }
}
