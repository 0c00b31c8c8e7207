import Testing
import ThumbturnRules

@testable import ThumbturnService

@Suite("The waits after failed proofs") struct ThrottleTests {
    private static let now = ServiceTime(1_700_000_000_000)

    @Test(.holds("SRP-19"))
    func `five failures are free, then a second, doubling to a minute`() {
        let seconds = (0...14).map { Throttle.pair.delay(after: $0).count / 1_000 }
        #expect(seconds == [0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60])
        #expect(Throttle.pair.delay(after: .max) == .seconds(60))
    }

    @Test(.holds("SRP-19"))
    func `over all networks a hundred are free`() {
        #expect(Throttle.account.delay(after: 100) == .zero)
        #expect(Throttle.account.delay(after: 101) == .seconds(1))
    }

    @Test func `a wait counts from the last failure, and ends`() {
        let count = FailureCount(failures: 8, lastAt: Self.now)
        #expect(Throttle.pair.wait(after: count, at: Self.now) == .seconds(4))
        #expect(Throttle.pair.wait(after: count, at: Self.now + .seconds(3)) == .seconds(1))
        #expect(Throttle.pair.wait(after: count, at: Self.now + .seconds(4)) == .zero)
    }

    @Test(.holds("SVC-11"))
    func `a while without a failure forgets them all, and waiting for it makes nobody faster than a guess a minute`() {
        let count = FailureCount(failures: 20, lastAt: Self.now)
        for throttle in [Throttle.pair, .account] {
            let end = Self.now + throttle.lapse
            #expect(throttle.adding(to: count, at: end - .seconds(1)).failures == 21)
            #expect(throttle.adding(to: count, at: end).failures == 1)
            // All that is free, and what comes before the wait is a minute, then the lapse.
            let guesses = (1...).prefix { throttle.delay(after: $0) < .seconds(60) }.count + 1
            let spent =
                (1...Int64(guesses - 1)).map { throttle.delay(after: $0).count }.reduce(0, +) + throttle.lapse.count
            #expect(Int64(guesses) * 60_000 <= spent)
        }
    }

    @Test(.holds("SVC-14"))
    func `a clock that is set back ends a wait, and one that lags behind does not`() {
        let count = FailureCount(failures: 20, lastAt: Self.now)
        #expect(Throttle.pair.wait(after: count, at: Self.now - .hours(1)) == .zero)
        #expect(Throttle.pair.wait(after: count, at: Self.now - .seconds(2)) == .seconds(60))
        #expect(
            Throttle.pair.adding(to: count, at: Self.now - .hours(1))
                == FailureCount(failures: 21, lastAt: Self.now - .hours(1))
        )
    }

    @Test func `a network may do so much in a minute, and then waits for the next`() {
        let limit = MinuteLimit(most: 3)
        var count = MinuteCount.none
        for second in 0..<3 {
            #expect(limit.wait(after: count, at: Self.now + .seconds(Int64(second))) == .zero)
            count = count.adding(at: Self.now + .seconds(Int64(second)))
        }
        #expect(limit.wait(after: count, at: Self.now + .seconds(10)) == .seconds(50))
        #expect(limit.wait(after: count, at: Self.now + .seconds(60)) == .zero)
        #expect(count.adding(at: Self.now + .seconds(60)) == MinuteCount(events: 1, since: Self.now + .seconds(60)))
    }

    @Test(.holds("SVC-14"))
    func `a minute of a clock that was set back does not last until the clock is there again`() {
        let count = MinuteCount(events: 9, since: Self.now)
        #expect(MinuteLimit(most: 3).wait(after: count, at: Self.now - .hours(1)) == .zero)
        #expect(count.adding(at: Self.now - .hours(1)).events == 1)
    }

    @Test(.holds("SVC-13")) func `a network that proved the password does not meet what strangers failed`() {
        var counts = Counts(name: FailureCount(failures: 200, lastAt: Self.now))
        #expect(counts.wait(Limits(), at: Self.now) == .seconds(60))
        counts.provenUntil = Self.now + .seconds(1)
        #expect(counts.wait(Limits(), at: Self.now) == .zero)
        counts.pair = FailureCount(failures: 6, lastAt: Self.now)
        #expect(counts.wait(Limits(), at: Self.now) == .seconds(1))
        counts.provenUntil = Self.now
        #expect(counts.wait(Limits(), at: Self.now) == .seconds(60))
    }
}
