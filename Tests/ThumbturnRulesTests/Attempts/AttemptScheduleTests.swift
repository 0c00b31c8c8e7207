import Testing
import ThumbturnRules

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

    @Test("A35: three are free, then the waits grow to one try a day", arguments: table)
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

    @Test func `A14: a wall clock set forward shortens no wait`() {
        var now = Self.now
        now.wall = now.wall + .days(1)
        #expect(decision(4, at: now) == .wait(.seconds(30)))
        now.boottime = now.boottime + .seconds(10)
        #expect(decision(4, at: now) == .wait(.seconds(20)))
        now.boottime = now.boottime + .seconds(20)
        #expect(decision(4, at: now) == .allowed)
    }

    @Test func `A14: of two clocks that nearly agree the slower one counts`() {
        var now = Self.now.after(.seconds(29))
        now.wall = now.wall + .seconds(2)
        #expect(decision(4, at: now) == .wait(.seconds(1)))
    }

    @Test func `A15: a clock set back starts the wait again, dated, and never lengthens it`() {
        var now = Self.now.after(.seconds(25))
        now.wall = now.wall - .days(365)
        let record = AttemptRecord(failures: 4, since: Self.now)
        #expect(AttemptSchedule.decision(for: record, otherStrongSlot: false, at: now) == .wait(.seconds(30)))
        #expect(record.redated(at: now) == AttemptRecord(failures: 4, since: now))
        #expect(decision(4, since: now, at: now.after(.seconds(30))) == .allowed)
    }

    @Test func `A16: a reboot starts the wait again from the first reading of the boot`() throws {
        let booted = ClockReadingTests.reading(wall: 2_000_000_000, boottime: 5_000, boot: 2)
        let record = AttemptRecord(failures: 7, since: Self.now)
        #expect(AttemptSchedule.decision(for: record, otherStrongSlot: false, at: booted) == .wait(.minutes(15)))
        let redated = try #require(record.redated(at: booted))
        #expect(redated == AttemptRecord(failures: 7, since: booted))
        #expect(redated.redated(at: booted.after(.minutes(1))) == nil, "it is written once a boot")
        #expect(
            AttemptSchedule.decision(for: redated, otherStrongSlot: false, at: booted.after(.minutes(15))) == .allowed
        )
    }

    @Test func `no date is written where nothing waits or the date is good`() {
        let booted = ClockReadingTests.reading(wall: 2_000_000_000, boottime: 5_000, boot: 2)
        #expect(AttemptRecord(failures: 3, since: Self.now).redated(at: booted) == nil)
        #expect(AttemptRecord(failures: 4, since: Self.now).redated(at: Self.now.after(.seconds(1))) == nil)
        var forward = Self.now
        forward.wall = forward.wall + .days(1)
        #expect(AttemptRecord(failures: 4, since: Self.now).redated(at: forward) == nil, "boottime still counts")
    }

    @Test func `A35: failures without a date are dated, so that their wait can end`() {
        let record = AttemptRecord(failures: 5)
        #expect(AttemptSchedule.decision(for: record, otherStrongSlot: false, at: Self.now) == .wait(.minutes(1)))
        #expect(record.redated(at: Self.now) == AttemptRecord(failures: 5, since: Self.now))
    }

    @Test(
        "A20: a record that can't be believed waits a day, whatever it says, and is never suspended",
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

    @Test func `A8: what replaces a bad ledger is dated and stays unbelieved while it counts`() {
        let record = AttemptRecord.unreliable(at: Self.now)
        #expect(record == AttemptRecord(failures: 10, since: Self.now, isReliable: false))
        let next = record.countingAttempt(at: Self.now.after(.hours(24)))
        #expect(next == AttemptRecord(failures: 11, since: Self.now.after(.hours(24)), isReliable: false))
    }

    @Test func `A10: an attempt counts when it begins, and the count stays at its end`() {
        #expect(AttemptRecord().countingAttempt(at: Self.now) == AttemptRecord(failures: 1, since: Self.now))
        #expect(AttemptRecord(failures: .max).countingAttempt(at: Self.now).failures == .max)
    }

    @Test("A14, A15, A16, A35: no history waits longer than the schedule or tries sooner", arguments: 1...200)
    func histories(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var record = AttemptRecord()
        var now = Self.now
        var awake = Milliseconds.zero  // what really passed in this boot since the last attempt or the last re-dating
        var boot: UInt64 = 1
        for _ in 0..<200 {
            switch UInt8.random(in: 0..<8, using: &random) {
            case 0:
                boot += 1
                now.bootID = Identifier(high: 0, low: boot)
                now.boottime = .seconds(.random(in: 1...60, using: &random))
                awake = .zero
            case 1: now.wall = now.wall + .minutes(.random(in: -600_000...600_000, using: &random))
            case 2: now.wall = now.wall + Milliseconds(.random(in: -1_500...1_500, using: &random))
            default:
                let step = Milliseconds(
                    Int64.random(in: 0...(1 << Int64.random(in: 4...27, using: &random)), using: &random)
                )
                now = now.after(step)
                awake = awake + step
            }
            if let redated = record.redated(at: now) {
                #expect(redated.failures == record.failures)
                record = redated
                awake = .zero
            }
            let delay = AttemptSchedule.delay(after: record.failures)
            switch AttemptSchedule.decision(for: record, otherStrongSlot: false, at: now) {
            case .allowed:
                #expect(awake >= delay, "seed \(seed): tried after \(awake) of \(delay)")
                record = record.countingAttempt(at: now)
                awake = .zero
            case .wait(let remaining):
                #expect(remaining > .zero && remaining <= delay, "seed \(seed)")
                #expect(remaining + awake >= delay, "seed \(seed): shows \(remaining) after \(awake) of \(delay)")
            case .suspended: Issue.record("seed \(seed): suspended without another slot")
            }
        }
        #expect(record.failures > 3, "seed \(seed)")
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
