import Testing
import ThumbturnRules

@Suite struct ClockReadingTests {
    static let earlier = reading(wall: 1_000_000_000, boottime: 500_000)

    static func reading(wall: Int64, boottime: Int64, boot: UInt64 = 1) -> ClockReading {
        ClockReading(
            wall: Milliseconds(wall),
            boottime: Milliseconds(boottime),
            bootID: Identifier(high: 0, low: boot)
        )
    }

    static func reading(wall: Int64, boottime: Int64, boot: Identifier) -> ClockReading {
        ClockReading(wall: Milliseconds(wall), boottime: Milliseconds(boottime), bootID: boot)
    }

    private func relation(wall: Int64, boottime: Int64, boot: UInt64 = 1) -> TimeRelation {
        var now = Self.earlier
        now.wall = now.wall + Milliseconds(wall)
        now.boottime = now.boottime + Milliseconds(boottime)
        now.bootID = Identifier(high: 0, low: boot)
        return ClockReading.relation(from: Self.earlier, to: now)
    }

    @Test func `a reading is beside another where neither clock of one boot lies a second off, to either side`() {
        func isBeside(_ wall: Int64, _ boottime: Int64, boot: UInt64 = 1) -> Bool {
            Self.reading(wall: 1_000_000_000 + wall, boottime: 500_000 + boottime, boot: boot).isBeside(Self.earlier)
        }
        #expect(isBeside(0, 0) && isBeside(999, 999) && isBeside(-999, -999))
        #expect(!isBeside(1_000, 0) && !isBeside(-1_000, 0) && !isBeside(0, 1_000) && !isBeside(0, -1_000))
        #expect(!isBeside(0, 0, boot: 2))
    }

    @Test func `clocks that agree give both differences`() {
        #expect(relation(wall: 0, boottime: 0) == .elapsed(least: .zero, most: .zero))
        #expect(relation(wall: 5_000, boottime: 5_000) == .elapsed(least: .seconds(5), most: .seconds(5)))
        #expect(relation(wall: 7_000, boottime: 5_000) == .elapsed(least: .seconds(5), most: .seconds(7)))
        #expect(relation(wall: 5_000, boottime: 7_000) == .elapsed(least: .seconds(5), most: .seconds(7)))
    }

    @Test(
        "a step within two seconds is no anomaly, and no time is ever negative",
        .holds("A18"),
        arguments: [-2_000, -1_000, 1_000]
    )
    func smallStep(step: Int64) {
        #expect(relation(wall: step, boottime: 0) == .elapsed(least: .zero, most: Milliseconds(max(step, 0))))
        #expect(relation(wall: 60_000 + step, boottime: 60_000) != .backward)
    }

    @Test(.holds("A18")) func `two honest clocks drift apart by 100 ppm, also over days, and by no more`() {
        let day: Int64 = 86_400_000
        let allowed: Int64 = 2_000 + 8_640
        let late = day - 3_000
        #expect(relation(wall: late, boottime: day) == .elapsed(least: Milliseconds(late), most: .days(1)))
        #expect(relation(wall: day - allowed, boottime: day) != .backward)
        #expect(relation(wall: day - allowed - 1, boottime: day) == .backward)
        #expect(relation(wall: day + allowed, boottime: day) != .wallMoved(boottime: .days(1)))
        #expect(relation(wall: day + allowed + 1, boottime: day) == .wallMoved(boottime: .days(1)))
        #expect(TimeRelation.tolerance(over: Milliseconds(.min)) > TimeRelation.tolerance(over: .days(10_000)))
    }

    @Test(.holds("A14")) func `a wall clock set forward leaves boottime`() {
        #expect(relation(wall: 2_001, boottime: 0) == .wallMoved(boottime: .zero))
        #expect(relation(wall: 86_400_000, boottime: 10_000) == .wallMoved(boottime: .seconds(10)))
        #expect(relation(wall: 86_400_000, boottime: -1_000) == .wallMoved(boottime: .zero))
    }

    @Test(.holds("A15")) func `any clock that goes backward is backward`() {
        #expect(relation(wall: -2_001, boottime: 0) == .backward)
        #expect(relation(wall: 0, boottime: -2_001) == .backward)
        #expect(relation(wall: -31_536_000_000, boottime: 60_000) == .backward)
        #expect(relation(wall: 60_000, boottime: 62_007) == .backward, "the wall clock was set back meanwhile")
    }

    @Test(.holds("A16")) func `nothing is known across a boot`() {
        #expect(relation(wall: 5_000, boottime: 5_000, boot: 2) == .rebooted)
        #expect(relation(wall: -5_000, boottime: -500_000, boot: 2) == .rebooted)
    }

    @Test func `times that lie never trap and are never negative`() {
        let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]
        var coherent = 0
        for earlierWall in extremes {
            for earlierBoot in extremes {
                for nowWall in extremes {
                    for nowBoot in extremes {
                        let relation = ClockReading.relation(
                            from: Self.reading(wall: earlierWall, boottime: earlierBoot),
                            to: Self.reading(wall: nowWall, boottime: nowBoot)
                        )
                        switch relation {
                        case .elapsed(let least, let most):
                            coherent += 1
                            #expect(least >= .zero && most >= least)
                        case .wallMoved(let boottime): #expect(boottime >= .zero)
                        case .backward:
                            #expect(
                                nowWall < earlierWall || nowBoot < earlierBoot || nowWall < nowBoot
                                    || earlierWall > earlierBoot
                            )
                        case .rebooted: Issue.record("one boot")
                        }
                    }
                }
            }
        }
        #expect(coherent > 0)
    }

    @Test func `spans stop at the ends of their range`() {
        #expect(Milliseconds(.max) + Milliseconds(1) == Milliseconds(.max))
        #expect(Milliseconds(.min) + Milliseconds(-1) == Milliseconds(.min))
        #expect(Milliseconds(.min) - Milliseconds(1) == Milliseconds(.min))
        #expect(Milliseconds(.max) - Milliseconds(-1) == Milliseconds(.max))
        #expect(Milliseconds(.min).magnitude == Milliseconds(.max))
        #expect(Milliseconds(-5).magnitude == Milliseconds(5))
        #expect(Milliseconds.days(1) == .hours(24) && Milliseconds.hours(1) == .minutes(60))
    }

    @Test func `a boot's name says what is known of it, also when it was stored`() {
        let earlier = Self.earlier
        #expect(earlier.bootName == .given)
        for unique in [0, 7, UInt64.max] {
            let (none, inferred) = (Identifier.unnamedBoot(unique), Identifier.inferredBoot(unique))
            for (name, expected) in [(none, BootName.none), (inferred, .inferred)] {
                let stored = Identifier(bytes: name.bytes)
                #expect(stored.map { Self.reading(wall: 0, boottime: 0, boot: $0).bootName } == expected)
            }
        }
        #expect(Identifier.unnamedBoot(1) != .unnamedBoot(2) && Identifier.inferredBoot(1) != .inferredBoot(2))
    }

    @Test func `identifiers keep their sixteen bytes`() throws {
        let bytes: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 248, 249, 250, 251, 252, 253, 254, 255]
        let identifier = try #require(Identifier(bytes: bytes))
        #expect(identifier.bytes == bytes)
        #expect(identifier.text == "0001020304050607f8f9fafbfcfdfeff")
        #expect(Identifier(bytes: Array(bytes.dropLast())) == nil)
        #expect(Identifier(bytes: bytes + [0]) == nil)
    }
}
