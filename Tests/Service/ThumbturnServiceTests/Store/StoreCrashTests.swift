import Testing
import ThumbturnTestKit

@testable import ThumbturnService

@Suite("A process that is killed in a transaction", .timeLimit(.minutes(10))) struct StoreCrashTests {
    private static let steps = 4

    @Test(.holds("SVC-38"), arguments: Backing.allCases)
    func `leaves the old state before the commit, and the new one behind it`(backing: Backing) throws {
        for stop in 0...Self.steps + 1 {
            let room = try StoreRoom(backing)
            let store = try room.open()
            let child = try TestChild(["steps", room.text, "\(Self.steps)"], of: "StoreChild")
            for line in ["open"] + (1...Self.steps).map({ "\($0)" }) + ["committed"] {
                #expect(child.readLine() == line)
                if line == "committed" || line == (stop == 0 ? "open" : "\(stop)") { break }
                child.send([0])
            }
            child.kill()
            #expect(child.finish().end == .killed(by: 9))
            #expect(try store.count() == (stop > Self.steps ? Int64(Self.steps) : 0), "killed at \(stop)")
            // Nothing that it held is in the way of the next.
            try store.transaction { transaction throws(StoreError) in try transaction.put([9], 9) }
        }
    }

    @Test(.holds("SVC-38"), arguments: Backing.allCases)
    func `loses no transaction that it was told of, and leaves none half`(backing: Backing) throws {
        let room = try StoreRoom(backing)
        let store = try room.open()
        try store.transaction { transaction throws(StoreError) in
            for account in [[1], [2]] as [[UInt8]] {
                let insertion: StaticString = "INSERT INTO proven (user_id, network, expires_at) VALUES ($1, $2, 0)"
                try transaction.run(insertion, .blob(account), .blob([]))
            }
        }
        for round in 1...20 {
            let child = try TestChild(["moves", room.text], of: "StoreChild")
            var told: Int64 = 0
            for _ in 1...round * 3 { told = Int64(child.readLine() ?? "") ?? -1 }
            child.kill()
            let rest = child.finish().lines
            told = rest.last.flatMap { Int64($0) } ?? told
            let amounts = try store.reading { transaction throws(StoreError) in
                try transaction.rows("SELECT expires_at FROM proven ORDER BY user_id").map { row throws(StoreError) in
                    try row.integer(0)
                }
            }
            #expect(amounts.reduce(0, +) == 0)
            // It may have been killed between a commit and the word of it.
            #expect([told, told + 1].contains(amounts[1]))
        }
    }
}
