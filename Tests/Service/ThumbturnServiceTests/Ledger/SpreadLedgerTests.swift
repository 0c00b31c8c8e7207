import Synchronization
import Testing
import ThumbturnFiles
import ThumbturnHTTP

@testable import ThumbturnService

/// Two logs, each on a node of its own; what else holds there, the other suites of the ledger say, which `make test-service`
/// runs over such nodes too.
@Suite("A ledger on several nodes", .needsPostgres, .timeLimit(.minutes(10))) struct SpreadLedgerTests {
    /// What becomes of a node.
    enum Outage: CaseIterable {
        case dead, hanging

        func begin(on server: OwnServer) throws {
            switch self {
            case .dead: try server.run("stop", "--kill", worker: 1)
            case .hanging: try server.run("freeze", worker: 1)
            }
        }

        func end(on server: OwnServer) throws {
            try server.run(self == .dead ? "start" : "thaw", worker: 1)
        }
    }

    /// A trail whose account belongs to a log.
    private static func trail(in log: Int64, _ plan: LedgerPlan) throws -> TestTrail {
        while true {
            let trail = try TestTrail()
            if plan.log(of: trail.user) == log { return trail }
        }
    }

    /// An upload of the trail's next record.
    private static func next(_ trail: TestTrail, _ plan: LedgerPlan) throws -> IncomingUpload {
        let count = try trail.grow(1).records.count
        let origin = plan.origin(of: plan.log(of: trail.user), of: LedgerRoom.origin)
        return try trail.upload((count - 1)..<count, origin: origin)
    }

    @Test(.holds("F-107-10", "INV-107-10"), arguments: Outage.allCases)
    func `a node that is dead or hangs costs its log alone, and its uploads are answered in time`(outage: Outage) throws
    {
        let server = try OwnServer(spread: true)
        let room = try StoreRoom(.postgres, on: server)
        let plan = try AuditLedger.establish(2, in: room.open())
        let ledger = LedgerRoom(room, plan, TestSigner(), TestClock())
        let (lost, other) = (try Self.trail(in: 0, plan), try Self.trail(in: 1, plan))
        try ledger.receipt(Self.next(lost, plan))
        /// Milliseconds for an upload to the other log, which has to be acknowledged.
        func pace(while goesOn: (Int) -> Bool) throws -> Double {
            let start = MonotonicClock.microseconds
            var count = 0
            while goesOn(count) {
                try ledger.receipt(Self.next(other, plan))
                count += 1
            }
            return Double(MonotonicClock.microseconds - start) / 1_000 / Double(count)
        }
        _ = try pace { $0 < 20 }
        let before = try pace { $0 < 100 }

        let upload = try Self.next(lost, plan)
        try outage.begin(on: server)
        let isAnswered = Mutex(false)
        nonisolated(unsafe) var during = 0.0
        nonisolated(unsafe) let others = pace
        try onThreads(2) { index in
            guard index == 0 else {
                unsafe during = try others { count in count < 100 || !isAnswered.withLock { $0 } }
                return
            }
            let start = MonotonicClock.milliseconds
            let answer = ledger.send(upload)
            isAnswered.withLock { $0 = true }
            #expect([202, 503].contains(answer.status), "\(answer.status) \(answer.code ?? "")")
            #expect(answer.headers.contains { $0.0 == "Retry-After" })
            #expect(MonotonicClock.milliseconds - start < Sequencer.patience + 1_000)
        }
        // A benchmark has the figure.
        #expect(unsafe during < 3 * before + 20, "\(before) ms before, \(unsafe during) ms meanwhile")

        try outage.end(on: server)
        var status = 0
        let end = MonotonicClock.milliseconds + 60_000
        while status != 200, MonotonicClock.milliseconds < end {
            status = ledger.send(try lost.upload(1..<2, origin: plan.origin(of: 0, of: LedgerRoom.origin))).status
        }
        #expect(try status == 200 && ledger.leaves(log: 0).count == 2)
        #expect(try ledger.leaves(log: 1).count == other.records.count)
    }

    @Test(.holds("F-107-10"))
    func `a conflict and a lost connection between two nodes repeat the transaction`() throws {
        let server = try OwnServer(spread: true)
        let room = try StoreRoom(.postgres, on: server)
        let store = try room.open()
        for (index, state) in ["40001", "40P01", "08001", "08006"].enumerated() {
            // Those who come from the coordinator look for nothing but what is named in full.
            try room.operatorsConnection(toWorker: 0).execute(
                """
                DROP SEQUENCE IF EXISTS times CASCADE; CREATE SEQUENCE times;
                CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS
                    'BEGIN IF nextval(''times'') = 1 THEN RAISE SQLSTATE ''\(state)''; END IF; RETURN NULL; END';
                CREATE OR REPLACE TRIGGER once AFTER INSERT ON leaves FOR EACH ROW EXECUTE FUNCTION fail()
                """
            )
            var runs = 0
            try store.transaction { transaction throws(StoreError) in
                runs += 1
                try transaction.put(
                    "INSERT INTO leaves (log, idx, leaf) VALUES (0, $1, $2)",
                    with: [.integer(Int64(index)), .blob([])]
                )
            }
            #expect(runs == 2, "\(state)")
        }
        let count = try store.reading { transaction throws(StoreError) in
            try transaction.row("SELECT COUNT(*) FROM leaves WHERE log = 0")?.integer(0)
        }
        #expect(count == 4)
    }
}
