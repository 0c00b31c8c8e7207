import Testing
import ThumbturnRules
import UnlockModel

@Suite struct AttemptScheduleTests {
    static let now = ClockReadingTests.earlier

    private func decision(
        _ failures: UInt32,
        since: ClockReading? = now,
        otherStrongSlot: Bool = false,
        at now: ClockReading = now
    ) -> AttemptDecision {
        AttemptSchedule.decision(
            for: AttemptRecord(failures: failures, since: since),
            otherStrongSlot: otherStrongSlot,
            at: now
        )
    }

    static let table: [(failures: UInt32, wait: Milliseconds)] = [
        (0, .zero), (1, .zero), (2, .zero), (3, .zero), (4, .seconds(30)), (5, .minutes(1)), (6, .minutes(5)),
        (7, .minutes(15)), (8, .hours(1)), (9, .hours(4)), (10, .hours(24)), (11, .hours(24)), (.max, .hours(24)),
    ]

    @Test("three are free, then the waits grow to one try a day", .holds("A35"), arguments: table)
    func waits(failures: UInt32, wait: Milliseconds) {
        #expect(AttemptSchedule.delay(after: failures) == wait)
        guard wait > .zero else {
            #expect(decision(failures) == .allowed)
            return
        }
        #expect(decision(failures) == .wait(wait))
        #expect(decision(failures, at: Self.now.after(wait - Milliseconds(1))) == .wait(Milliseconds(1)))
        #expect(decision(failures, at: Self.now.after(wait)) == .allowed)
    }

    @Test func `ten failures suspend only where another strong slot opens the vault`() {
        #expect(decision(9, otherStrongSlot: true) == .wait(.hours(4)))
        for failures in [10, 11, UInt32.max] {
            #expect(decision(failures, otherStrongSlot: true) == .suspended)
            #expect(decision(failures, otherStrongSlot: true, at: Self.now.after(.days(400))) == .suspended)
            #expect(decision(failures, otherStrongSlot: false, at: Self.now.after(.hours(24))) == .allowed)
        }
    }

    @Test(.holds("A14")) func `a wall clock set forward shortens no wait`() {
        var now = Self.now
        now.wall = now.wall + .days(1)
        #expect(decision(4, at: now) == .wait(.seconds(30)))
        now.boottime = now.boottime + .seconds(10)
        #expect(decision(4, at: now) == .wait(.seconds(20)))
        now.boottime = now.boottime + .seconds(20)
        #expect(decision(4, at: now) == .allowed)
    }

    @Test(
        "a record that can't be believed waits a day, whatever it says, and is never suspended",
        .holds("A20"),
        arguments: table
    )
    func unreliable(failures: UInt32, wait: Milliseconds) {
        let record = AttemptRecord(failures: failures, since: Self.now, isReliable: false)
        for otherStrongSlot in [false, true] {
            func decision(at now: ClockReading) -> AttemptDecision {
                AttemptSchedule.decision(for: record, otherStrongSlot: otherStrongSlot, at: now)
            }
            #expect(decision(at: Self.now) == .wait(.hours(24)))
            #expect(decision(at: Self.now.after(.hours(24))) == .allowed)
        }
    }

    @Test(.holds("A8")) func `what replaces a bad ledger is dated and stays unbelieved while it counts`() {
        let record = AttemptRecord.unreliable(at: Self.now)
        #expect(record == AttemptRecord(failures: 10, since: Self.now, isReliable: false))
        let next = record.countingAttempt(at: Self.now.after(.hours(24)))
        #expect(next == AttemptRecord(failures: 11, since: Self.now.after(.hours(24)), isReliable: false))
    }

    @Test(.holds("A8"))
    func `what replaces a bad ledger in a boot without a name is measured from the next that has one`() {
        let nameless = ClockReadingTests.reading(wall: 2_000_000, boottime: 5_000, boot: .unnamedBoot(1))
        let record = AttemptRecord.unreliable(at: nameless)
        #expect(record.since == nil)
        #expect(record.banking(at: Self.now)?.since == Self.now)
    }

    @Test(.holds("A10")) func `an attempt counts when it begins, and the count stays at its end`() {
        #expect(AttemptRecord().countingAttempt(at: Self.now) == AttemptRecord(failures: 1, since: Self.now))
        #expect(AttemptRecord(failures: .max).countingAttempt(at: Self.now).failures == .max)
        let waited = AttemptRecord(failures: 4, since: Self.now, banked: .seconds(30))
        #expect(waited.countingAttempt(at: Self.now).banked == .zero, "what was waited for one try is not for the next")
    }
}

/// A small generator whose sequence is its seed's.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
