import Testing

@testable import ThumbturnRules

@Suite("A delay on the screen")
struct CountdownTests {
    @Test(arguments: [
        (1, "1 s"), (999, "1 s"), (1_000, "1 s"), (1_001, "2 s"), (30_000, "30 s"), (59_001, "60 s"), (60_000, "60 s"),
        (60_001, "2 min"), (300_000, "5 min"), (300_001, "6 min"), (3_540_001, "1 h"), (3_600_000, "1 h"),
        (3_600_001, "1 h 1 min"), (14_400_000, "4 h"), (86_400_000, "24 h"), (0, "1 s"), (-5, "1 s"),
    ])
    func `is rounded up, and names seconds in the last minute only`(left: Int64, text: String) {
        #expect(Countdown(Milliseconds(left)).text == text)
    }

    @Test(arguments: [Int64](1...400).map { $0 * 997 })
    func `changes when it says, and not before`(left: Int64) {
        let now = Milliseconds(left)
        let pause = Countdown.untilChange(of: now)
        #expect(pause > .zero)
        #expect(Countdown(now - pause + Milliseconds(2)) == Countdown(now))
        #expect(Countdown(now - pause) != Countdown(now) || now - pause <= .zero)
    }

    @Test func `a day needs 1439 wakings in minutes and 60 in seconds`() {
        var left = Milliseconds.hours(24)
        var wakings = 0
        while left > .zero {
            left = left - Countdown.untilChange(of: left)
            wakings += 1
        }
        #expect(wakings == 1_439 + 60)
    }
}
