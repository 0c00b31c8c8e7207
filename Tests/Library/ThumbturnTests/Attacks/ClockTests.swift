import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody sets the clock, boots, or lets the device sleep.
@Suite struct ClockTests {
    @Test(.holds("A14")) func `setting the clock forward shortens no wait`() async throws {
        let made = try await Self.waiting()
        try made.simulated.simulate(.clock(.days(1)))
        let error = await fault { try await made.strong() }
        #expect(error?.code == .attemptDelayed && error?.retryAfter == .seconds(30))
        try made.advance(.seconds(30))
        try await made.strong()
    }

    @Test(.holds("A14", "F-107-08")) func `with the clock set forward the finger is not enough`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.clock(.days(1)))
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        #expect(await made.vault.snapshot.decision == .requireStrongFactor(.clockIncoherent))
        try await made.strong()
        await made.vault.lock()
        try await made.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("A15", "F-107-08"))
    func `a clock set back demands the strong factor, and no wait grows past its step`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.clock(.days(-365)))
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        for number in 1...4 { _ = await refusal { try await made.guess(number) } }
        try made.simulated.simulate(.clock(.days(-365)))
        let error = await fault { try await made.strong() }
        #expect(error?.retryAfter == .seconds(30))
        try made.advance(.seconds(30))
        try await made.strong()
    }

    // The wall clock used to restart a wait; now it does not touch one, since within a boot only boot time measures.
    @Test(.holds("A15")) func `turning the clock back again and again neither ends nor prolongs a wait`() async throws {
        let made = try await Self.waiting()
        for waited in 1...5 {
            try made.advance(.seconds(5))
            try made.simulated.simulate(.clock(.hours(-1)))
            let error = await fault { try await made.strong() }
            #expect(error?.code == .attemptDelayed && error?.retryAfter == .seconds(30 - 5 * Int64(waited)))
        }
        try made.advance(.seconds(5))
        try await made.strong()
    }

    @Test(.holds("A15")) func `a clock that loses three seconds a day does not restart a day's wait`() async throws {
        let made = try await Self.waitingADay()
        try made.advance(.hours(24) - .seconds(1))
        try made.simulated.simulate(.clock(.seconds(-3)))
        let again = try await made.restarted()
        #expect(await fault { try await again.strong() }?.retryAfter == .seconds(1))
        try made.advance(.seconds(1))
        try await again.strong()
    }

    // A boot used to restart a wait, so that a nightly shutdown made it endless; now what was seen of it is kept.
    @Test(.holds("A16")) func `a reboot neither shortens nor restarts a wait, and unlocks nothing`() async throws {
        let made = try await Self.waitingADay()
        try made.advance(.hours(8))
        _ = try await made.look()
        try made.simulated.simulate(.reboot)
        let again = try await made.restarted()
        #expect(await fault { try await again.strong() }?.retryAfter == .hours(16))
        try made.advance(.hours(15))
        try made.simulated.simulate(.reboot)
        try made.advance(.hours(1))
        let third = try await again.restarted()
        #expect(await fault { try await third.strong() }?.retryAfter == .hours(15), "nobody looked before that boot")
        try made.advance(.hours(15))
        try await third.strong()
    }

    @Test(.holds("A16", "A35")) func `a device that is turned off every night lets a day's wait end on the third day`()
        async throws
    {
        let made = try await Self.waitingADay()
        for day in 1...3 {
            try made.simulated.simulate(.reboot)
            try made.simulated.simulate(.clock(.hours(14)))
            try made.advance(.hours(10))
            let again = try await made.reopened()
            if day < 3 {
                #expect(await fault { try await again.strong() }?.retryAfter == .hours(24 - 10 * Int64(day)))
            } else {
                try await again.strong()
            }
            await again.vault.close()
        }
    }

    @Test(.holds("A14", "A16")) func `whoever sets the clock and reboots, again and again, gains nothing`() async throws
    {
        let made = try await Self.waitingADay()
        for step in [1, -2, 400, -400] as [Int64] {
            try made.simulated.simulate(.clock(.days(step)))
            try made.simulated.simulate(.reboot)
            let again = try await made.reopened()
            #expect(await fault { try await again.strong() }?.retryAfter == .hours(24), "by \(step) days")
            await again.vault.close()
        }
    }

    @Test(.holds("A35")) func `a look writes nothing while no wait runs, and banks time without moving the anchor`()
        async throws
    {
        let made = try await TestVault.make()
        await made.vault.lock()
        for number in 1...3 { _ = await refusal { try await made.guess(number) } }
        let free = try #require(made.contents().ledger)
        try made.simulated.simulate(.reboot)
        try made.advance(.hours(30))
        _ = try await made.look()
        #expect(try made.contents().ledger?.body == free.body)

        for _ in 4...10 {
            try made.waitADay()
            _ = await refusal { try await made.guess(4) }
        }
        let item = try #require(made.slot(.localSecret).item)
        let (begun, anchor) = (try #require(made.contents().ledger), try await made.simulated.sequence(for: item))
        try made.advance(.minutes(14))
        _ = try await made.look()
        #expect(try made.contents().ledger?.body == begun.body, "too little to write")
        try made.advance(.minutes(1))
        _ = try await made.look()
        let banked = try Ledger(parsing: #require(made.contents().ledger).body)
        #expect(banked.attempts.banked == .minutes(15) && banked.attempts.failures == 10)
        #expect(try banked.position == Ledger(parsing: begun.body).position)
        #expect(try await made.simulated.sequence(for: item) == anchor)
        _ = try await made.look()
        #expect(try Ledger(parsing: #require(made.contents().ledger).body) == banked)
    }

    @Test func `a boot without a name neither counts towards a wait nor takes from it`() async throws {
        let made = try await Self.waitingADay()
        try made.advance(.hours(20))
        _ = try await made.look()
        let nameless = try await made.reopened(seenAs: made.device.reading { $0.bootID = .unnamedBoot(1) })
        try made.advance(.days(2))
        #expect(await fault { try await nameless.strong() }?.retryAfter == .hours(4))
        await nameless.vault.close()
        let again = try await made.restarted()
        try await again.strong()
    }

    @Test(.holds("A16")) func `an open session does not outlive a reboot, and its idle time is not negative`()
        async throws
    {
        let made = try await TestVault.make()
        try made.simulated.simulate(.reboot)
        await made.vault.lockIfIdle()
        #expect(await made.state == .locked)
    }

    @Test(.holds("A17")) func `sleep counts as idle time and as waiting`() async throws {
        let made = try await TestVault.make(biometrics: true)
        try made.simulated.simulate(.sleep(.minutes(5) + Milliseconds(1)))
        await made.vault.lockIfIdle()
        #expect(await made.state == .locked)
        try made.simulated.simulate(.sleep(.minutes(26)))
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        for number in 1...4 { _ = await refusal { try await made.guess(number) } }
        try made.simulated.simulate(.sleep(.seconds(30)))
        try await made.strong()
    }

    @Test(.holds("A18"), arguments: [-1_900, -1_000, 1_000, 2_000])
    func `a step of network time or a rounded second locks nobody out`(step: Int64) async throws {
        let made = try await TestVault.make(biometrics: true)
        try made.simulated.simulate(.clock(Milliseconds(step)))
        await made.vault.lockIfIdle()
        #expect(await made.isOpen)
        await made.vault.lock()
        try await made.touch()
    }

    private static func waiting() async throws -> TestVault {
        let made = try await TestVault.make()
        await made.vault.lock()
        for number in 1...4 { _ = await refusal { try await made.guess(number) } }
        return made
    }

    /// A vault that its PIN opens again in a day.
    private static func waitingADay() async throws -> TestVault {
        let made = try await waiting()
        for number in 5...10 {
            try made.advance(.hours(4))
            _ = await refusal { try await made.guess(number) }
        }
        #expect(await fault { try await made.strong() }?.retryAfter == .hours(24))
        return made
    }
}

extension Device {
    /// The same device, whose clocks say what `change` makes of it.
    fileprivate func reading(_ change: @escaping @Sendable (inout ClockReading) -> Void) -> Device {
        Device(
            kind: kind,
            store: store,
            prompt: prompt,
            anchor: anchor,
            clock: { [clock] in
                var reading = clock()
                change(&reading)
                return reading
            },
            installation: installation,
            events: events
        )
    }
}
