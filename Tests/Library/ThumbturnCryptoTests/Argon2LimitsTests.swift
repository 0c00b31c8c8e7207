import Testing

@testable import ThumbturnCrypto

/// The costs that an app may choose.
@Suite struct Argon2LimitsTests {
    @Test(
        arguments: [
            (32, 3, 32_768, 3), (19, 2, 19_456, 2), (0, 0, 19_456, 2), (-5, -5, 19_456, 2), (18, 1, 19_456, 2),
            (1_000, 99, 262_144, 10), (.max, .max, 262_144, 10),
        ] as [(Int, Int, UInt32, UInt32)]
    )
    func `no choice is below the floor or above the ceiling`(
        memory: Int,
        passes: Int,
        memoryKiB: UInt32,
        chosen: UInt32
    ) throws {
        let limits = Argon2Limits(memoryMiB: memory, passes: passes)
        #expect(limits.default == Argon2Parameters(memoryKiB: memoryKiB, passes: chosen))
        #expect(limits.floor == Argon2Limits.standard.floor && limits.ceiling == Argon2Limits.standard.ceiling)
        try limits.validate(limits.default)
    }

    @Test func `a ceiling refuses what is above it, and never the cost of new slots`() throws {
        let limits = Argon2Limits(memoryMiB: 32, ceilingMiB: 32)
        try limits.validate(limits.default)
        #expect(limits.areExceeded(by: Argon2Limits.standard.default))
        let low = Argon2Limits(memoryMiB: 48, ceilingMiB: 20)
        #expect(!low.areExceeded(by: low.default))
        #expect(low.areExceeded(by: Argon2Parameters(memoryKiB: 49_153, passes: 3)))
    }

    @Test func `an account's password is never stretched for less than a service accepts`() {
        #expect(Argon2Limits(memoryMiB: 0, passes: 0).forAccounts == Argon2Limits.standard.floor)
    }
}
