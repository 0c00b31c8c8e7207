import Testing
import ThumbturnRules

@Suite struct DeliveryBackoffTests {
    /// The longest waits that there can be after each failure in a row.
    private static let ceilings: [Int64] = [
        1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 1_024_000, 2_048_000, 3_600_000,
        3_600_000, 3_600_000,
    ]

    @Test(.holds("F-107-10")) func `the longest wait doubles from a second to an hour`() {
        var backoff = DeliveryBackoff()
        for ceiling in Self.ceilings {
            var other = backoff
            #expect(other.fail(asked: nil, random: 0) == .zero, "the whole span is drawn from")
            other = backoff
            #expect(other.fail(asked: nil, random: UInt64(ceiling + 1)) == .zero)
            #expect(backoff.fail(asked: nil, random: UInt64(ceiling)) == Milliseconds(ceiling))
        }
    }

    @Test(.holds("F-107-10")) func `a success ends the waiting`() {
        var backoff = DeliveryBackoff()
        for _ in 0..<20 { _ = backoff.fail(asked: nil, random: 0) }
        backoff.succeed()
        #expect(backoff == DeliveryBackoff())
    }

    @Test(.holds("F-107-10")) func `what the service asks for is waited for, and no two devices alike`() {
        var backoff = DeliveryBackoff()
        #expect(backoff.fail(asked: .seconds(30), random: 0) == .seconds(30))
        #expect(backoff.fail(asked: .seconds(30), random: 1_999) == .seconds(30) + Milliseconds(1_999))
        #expect(backoff.fail(asked: .hours(9), random: 7) == .hours(1), "a false service silences nobody for long")
    }

    @Test func `any failure and any random bits give a wait within an hour`() {
        var backoff = DeliveryBackoff()
        for number in 0..<5_000 {
            let wait = backoff.fail(
                asked: number % 3 == 0 ? Milliseconds(Int64(number) * 911) : nil,
                random: UInt64.random(in: 0 ... .max)
            )
            #expect((Milliseconds.zero...DeliveryBackoff.longest).contains(wait))
            if number % 40 == 0 { backoff.succeed() }
        }
    }
}
