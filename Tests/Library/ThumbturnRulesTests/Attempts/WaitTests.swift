import Testing
import ThumbturnRules
import UnlockModel

/// How a wait is measured, and what is written down of it.
@Suite struct WaitTests {
    static let now = reading(wall: 1_000_000, boottime: 10_000, boot: 1)

    /// A reading in seconds.
    static func reading(wall: Int64, boottime: Int64, boot: UInt64) -> ClockReading {
        reading(wall: wall, boottime: boottime, Identifier(high: 0, low: boot))
    }

    static func reading(wall: Int64, boottime: Int64, _ boot: Identifier) -> ClockReading {
        ClockReading(wall: .seconds(wall), boottime: .seconds(boottime), bootID: boot)
    }

    private func record(_ failures: UInt32, banked: Milliseconds = .zero) -> AttemptRecord {
        AttemptRecord(failures: failures, since: Self.now, banked: banked)
    }

    @Test(.holds("A14", "A15"), arguments: [-31_536_000, -3, 0, 3, 31_536_000])
    func `within a boot only boot time measures, whatever the wall clock does`(step: Int64) {
        let later = Self.reading(wall: 1_000_000 + step, boottime: 10_020, boot: 1)
        #expect(record(4).waited(at: later) == .seconds(20))
        #expect(AttemptSchedule.decision(for: record(4), otherStrongSlot: false, at: later) == .wait(.seconds(10)))
        #expect(record(4).banking(at: later) == nil)
    }

    @Test(.holds("A15")) func `a wall clock that falls three seconds a day behind lets a day's wait end after a day`() {
        var now = Self.now.after(.days(1))
        now.wall = now.wall - .seconds(3)
        #expect(AttemptSchedule.decision(for: record(10), otherStrongSlot: false, at: now) == .allowed)
    }

    @Test(.holds("A16")) func `a look in another boot counts the time since that boot began, and keeps it`() throws {
        let booted = Self.reading(wall: 1_050_000, boottime: 7_200, boot: 2)
        let looked = try #require(record(10, banked: .hours(1)).banking(at: booted))
        #expect(looked == AttemptRecord(failures: 10, since: booted, banked: .hours(3)))
        #expect(looked.banking(at: booted.after(.minutes(1))) == nil, "once a boot is enough")
        let again = Self.reading(wall: 1_100_000, boottime: 3_600, boot: 3)
        #expect(looked.banking(at: again)?.banked == .hours(4))
    }

    @Test(.holds("A14", "A16")) func `a boot that was up before the try counts at most what the wall clock adds`() {
        let booted = Self.reading(wall: 1_000_060, boottime: 86_400, boot: 2)
        #expect(record(10).waited(at: booted) == .minutes(1))
    }

    @Test(.holds("A15", "A16")) func `a wall clock that went back over a boot counts nothing, and takes nothing away`()
        throws
    {
        let booted = Self.reading(wall: 0, boottime: 7_200, boot: 2)
        let looked = try #require(record(10, banked: .hours(5)).banking(at: booted))
        #expect(looked == AttemptRecord(failures: 10, since: booted, banked: .hours(5)))
        #expect(looked.waited(at: booted.after(.hours(1))) == .hours(6))
    }

    @Test func `what was waited is banked after fifteen minutes, and no sooner`() {
        let interval = AttemptSchedule.bankingInterval
        #expect(interval == .minutes(15))
        #expect(record(10).banking(at: Self.now.after(interval - Milliseconds(1))) == nil)
        let later = Self.now.after(interval)
        #expect(record(10).banking(at: later) == AttemptRecord(failures: 10, since: later, banked: interval))
    }

    @Test func `nothing is banked where no wait runs, or where it is over`() {
        let booted = Self.reading(wall: 2_000_000, boottime: 86_400 * 3, boot: 2)
        for failures in 0...3 as ClosedRange<UInt32> { #expect(record(failures).banking(at: booted) == nil) }
        let over = record(10).banking(at: booted)
        #expect(over?.banked == .hours(24), "no more than the wait")
        #expect(over?.banking(at: Self.reading(wall: 3_000_000, boottime: 60, boot: 3)) == nil)
        let unreliable = AttemptRecord(failures: 0, since: Self.now, isReliable: false)
        #expect(unreliable.banking(at: booted)?.banked == .hours(24), "it waits, whatever it says")
    }

    @Test func `a boot without a name counts nothing, keeps what was banked, and writes nothing`() {
        let later = Self.reading(wall: 2_000_000, boottime: 500_000, .unnamedBoot(1))
        let waiting = record(10, banked: .hours(23))
        #expect(waiting.waited(at: later) == .hours(23) && waiting.banking(at: later) == nil)
        #expect(waiting.waited(at: Self.now.after(.hours(1))) == .hours(24), "the boot before goes on counting")
        let tried = waiting.countingAttempt(at: later)
        #expect(tried == AttemptRecord(failures: 11, since: nil, banked: .zero))
        let named = Self.reading(wall: 3_000_000, boottime: 900_000, boot: 1)
        #expect(tried.waited(at: named) == .zero, "nothing was measured from then on")
        #expect(tried.banking(at: named) == AttemptRecord(failures: 11, since: named))
        let stored = AttemptRecord(failures: 10, since: later)
        #expect(stored.waited(at: later.after(.days(2))) == .zero && stored.waited(at: named) == .zero)
    }

    @Test(.holds("A14")) func `a boot that is told by its clocks alone is not one more because the wall clock was set`()
    {
        let since = Self.reading(wall: 1_000_000, boottime: 500_000, .inferredBoot(1))
        let record = AttemptRecord(failures: 10, since: since)
        // The same boot a minute later, with the clock set forward by two days: it has another name.
        #expect(record.waited(at: Self.reading(wall: 1_172_860, boottime: 500_060, .inferredBoot(2))) == .minutes(1))
        #expect(record.waited(at: Self.reading(wall: 1_172_860, boottime: 500_060, boot: 2)) == .minutes(1))
        // Boot time that went back proves another boot.
        #expect(record.waited(at: Self.reading(wall: 1_172_860, boottime: 7_200, .inferredBoot(2))) == .hours(2))
        #expect(record.waited(at: Self.reading(wall: 1_000_060, boottime: 7_200, .inferredBoot(2))) == .minutes(1))
    }

    @Test(.holds("A35")) func `failures without a date are dated, so that their wait can end`() {
        let record = AttemptRecord(failures: 5, banked: .seconds(10))
        #expect(AttemptSchedule.decision(for: record, otherStrongSlot: false, at: Self.now) == .wait(.seconds(50)))
        #expect(record.banking(at: Self.now) == AttemptRecord(failures: 5, since: Self.now, banked: .seconds(10)))
    }

    @Test(.holds("A35")) func `a date ahead of this boot's time is dated anew, so that its wait can end`() {
        let back = Self.reading(wall: 1_000_010, boottime: 5_000, boot: 1)
        let looked = record(10, banked: .hours(2)).banking(at: back)
        #expect(looked == AttemptRecord(failures: 10, since: back, banked: .hours(2)))
        #expect(record(10).banking(at: Self.reading(wall: 1_000_010, boottime: 9_999, boot: 1)) == nil)
    }

    @Test func `times that lie never trap, and no wait is negative or longer than its step`() {
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        let boots = [Identifier(high: 0, low: 1), .inferredBoot(1), .inferredBoot(2), .unnamedBoot(1)]
        var waits = 0
        for sinceWall in extremes {
            for sinceBoot in extremes {
                for wall in extremes {
                    for boottime in extremes {
                        for (index, boot) in boots.enumerated() {
                            let since = ClockReadingTests.reading(
                                wall: sinceWall,
                                boottime: sinceBoot,
                                boot: boots[index / 2]
                            )
                            let now = ClockReadingTests.reading(wall: wall, boottime: boottime, boot: boot)
                            let banked = Milliseconds(extremes[(waits + index) % 7])
                            let record = AttemptRecord(failures: 8, since: since, banked: banked)
                            #expect(record.waited(at: now) >= .zero)
                            if let looked = record.banking(at: now) {
                                #expect(looked.banked >= .zero && looked.banked <= .hours(1))
                            }
                            switch AttemptSchedule.decision(for: record, otherStrongSlot: false, at: now) {
                            case .allowed: break
                            case .wait(let span):
                                waits += 1
                                #expect(span > .zero && span <= .hours(1))
                            case .suspended: Issue.record("eight are no ten")
                            }
                        }
                    }
                }
            }
        }
        #expect(waits > 0)
    }
}

/// Random lives of a device: a failure prints its seed, and is played again with it.
@Suite struct WaitHistoryTests {
    /// What a device does for real; the clocks show what they are made to show.
    struct World {
        /// How its boots are named.
        let name: @Sendable (UInt64) -> Identifier
        var random: SplitMix64
        var boots: UInt64 = 1
        var wall = Milliseconds.days(20_000)
        var boottime = Milliseconds.hours(5)
        /// Which name the boot has, where a clock that was set changes it.
        var names: UInt64 = 1
        /// How long the device was turned on since the last try.
        var turnedOn = Milliseconds.zero

        var reading: ClockReading { ClockReading(wall: wall, boottime: boottime, bootID: name(names)) }

        mutating func pass(_ span: Milliseconds) {
            (wall, boottime, turnedOn) = (wall + span, boottime + span, turnedOn + span)
        }

        mutating func boot(after off: Milliseconds = .zero) {
            boots += 1
            names += 1
            wall = wall + off
            boottime = .zero
        }

        mutating func number(_ range: ClosedRange<Int64>) -> Int64 { .random(in: range, using: &random) }

        /// A span of any order between a second and ten hours.
        mutating func span() -> Milliseconds { Milliseconds(number(0...(1 << number(10...25)))) }
    }

    @Test(
        "what is counted was waited with the device turned on, whoever sets clock or boots",
        .holds("A14", "A15", "A16", "A35"),
        arguments: 1...300
    )
    func nothingIsGained(seed: UInt64) {
        for infers in [false, true] {
            var world = World(
                name: { infers ? .inferredBoot($0) : Identifier(high: 0, low: $0) },
                random: SplitMix64(state: seed)
            )
            var record = AttemptRecord()
            var tries = 0
            for _ in 0..<300 {
                switch world.number(0...9) {
                case 0: world.boot(after: .minutes(world.number(0...10_000)))
                case 1:
                    world.wall = world.wall + .minutes(world.number(-600_000...600_000))
                    // Whoever tells boots by their clocks may take the same one for another.
                    if infers { world.names += 1 }
                case 2: world.wall = world.wall + Milliseconds(world.number(-1_500...1_500))
                default: world.pass(world.span())
                }
                let now = world.reading
                #expect(record.waited(at: now) <= world.turnedOn, "seed \(seed)")
                if world.number(0...1) == 0, let looked = record.banking(at: now) {
                    let delay = AttemptSchedule.delay(after: record.failures)
                    #expect(looked.waited(at: now) == min(record.waited(at: now), delay), "seed \(seed)")
                    #expect(looked.failures == record.failures && looked.isReliable == record.isReliable)
                    record = looked
                }
                let delay = AttemptSchedule.delay(after: record.failures)
                switch AttemptSchedule.decision(for: record, otherStrongSlot: false, at: now) {
                case .allowed:
                    #expect(world.turnedOn >= delay, "seed \(seed): tried after \(world.turnedOn) of \(delay)")
                    record = record.countingAttempt(at: now)
                    world.turnedOn = .zero
                    tries += 1
                case .wait(let remaining):
                    #expect(remaining > .zero && remaining <= delay, "seed \(seed)")
                case .suspended: Issue.record("seed \(seed): suspended without another slot")
                }
            }
            #expect(tries > 3, "seed \(seed)")
        }
    }

    @Test(
        "with one look a boot every wait ends as soon as those looks saw it",
        .holds("A15", "A16", "A35"),
        arguments: 1...300
    )
    func everyWaitEnds(seed: UInt64) {
        var world = World(name: { Identifier(high: 0, low: $0) }, random: SplitMix64(state: seed))
        for failures in 4...11 as ClosedRange<UInt32> {
            var record = AttemptRecord(failures: failures - 1).countingAttempt(at: world.reading)
            let delay = AttemptSchedule.delay(after: failures)
            var seen = Milliseconds.zero
            // Turned off every night, and the clock loses up to three seconds a boot.
            for _ in 0..<1_000 where seen < delay {
                world.boot(after: .hours(world.number(1...14)))
                world.pass(.minutes(world.number(5...600)))
                seen = seen + world.boottime
                world.wall = world.wall - Milliseconds(world.number(0...3_000))
                record = record.banking(at: world.reading) ?? record
                let decision = AttemptSchedule.decision(for: record, otherStrongSlot: false, at: world.reading)
                #expect((decision == .allowed) == (seen >= delay), "seed \(seed): \(seen) of \(delay)")
                world.pass(world.span())
            }
            #expect(seen >= delay, "seed \(seed)")
        }
    }

    @Test(
        "where the clock starts at the same day in each boot, a look at its end adds all since the first",
        .holds("A35"),
        arguments: 1...100
    )
    func clockWithoutBattery(seed: UInt64) {
        var world = World(name: { Identifier(high: 0, low: $0) }, random: SplitMix64(state: seed))
        var record = AttemptRecord(failures: 9).countingAttempt(at: world.reading)
        var seen = Milliseconds.zero
        for _ in 0..<1_000 where seen < .hours(24) {
            world.boot()
            world.wall = .zero
            world.pass(.minutes(1))
            record = record.banking(at: world.reading) ?? record
            let span = Milliseconds.minutes(world.number(15...600))
            world.pass(span)
            seen = seen + span
            record = record.banking(at: world.reading) ?? record
        }
        #expect(
            AttemptSchedule.decision(for: record, otherStrongSlot: false, at: world.reading) == .allowed,
            "seed \(seed)"
        )
    }

    @Test(
        "what is written of a wait is a row a boot and one in fifteen minutes, however often somebody looks",
        arguments: 1...100
    )
    func writesAreFew(seed: UInt64) {
        var world = World(name: { Identifier(high: 0, low: $0) }, random: SplitMix64(state: seed))
        var record = AttemptRecord(failures: 9).countingAttempt(at: world.reading)
        var (writes, start) = (0, world.boots)
        for _ in 0..<5_000 {
            if world.number(0...300) == 0 { world.boot(after: .hours(1)) }
            world.pass(.seconds(world.number(0...30)))
            guard let looked = record.banking(at: world.reading) else { continue }
            record = looked
            writes += 1
        }
        start = world.boots - start
        #expect(
            writes > 10 && writes <= Int(start) + Int(world.turnedOn.count / Milliseconds.minutes(15).count),
            "seed \(seed)"
        )
    }
}
