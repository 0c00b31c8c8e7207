import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody sets the clock, boots, or lets the device sleep.
@Suite struct ClockTests {
    @Test func `A14: setting the clock forward shortens no wait`() async throws {
        let made = try await Self.waiting()
        try made.simulated.simulate(.clock(.days(1)))
        let error = await fault { try await made.strong() }
        #expect(error?.code == .attemptDelayed && error?.retryAfter == .seconds(30))
        try made.advance(.seconds(30))
        try await made.strong()
    }

    @Test func `A14, F-107-08: with the clock set forward the finger is not enough`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.clock(.days(1)))
        #expect(await refusal { try await made.touch() } == .sessionExpired)
        #expect(await made.vault.snapshot.decision == .requireStrongFactor(.clockIncoherent))
        try await made.strong()
        await made.vault.lock()
        try await made.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test func `A15, F-107-08: a clock set back demands the strong factor, and no wait grows past its step`()
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

    @Test func `A15: turning the clock back again and again ends no wait, and prolongs it by its step at most`()
        async throws
    {
        let made = try await Self.waiting()
        for _ in 1...5 {
            try made.advance(.seconds(20))
            try made.simulated.simulate(.clock(.hours(-1)))
            let error = await fault { try await made.strong() }
            #expect(error?.code == .attemptDelayed && error?.retryAfter == .seconds(30))
        }
        try made.advance(.seconds(30))
        try await made.strong()
    }

    @Test func `A16: a reboot starts a running wait again, and unlocks nothing`() async throws {
        let made = try await Self.waiting()
        try made.advance(.seconds(29))
        try made.simulated.simulate(.reboot)
        try made.advance(.seconds(5))
        let again = try await made.restarted()
        #expect(await fault { try await again.strong() }?.retryAfter == .seconds(30))
        try made.advance(.seconds(29))
        #expect(await fault { try await again.strong() }?.retryAfter == .seconds(1))
        try made.advance(.seconds(1))
        try await again.strong()
    }

    @Test func `A16: an open session does not outlive a reboot, and its idle time is not negative`() async throws {
        let made = try await TestVault.make()
        try made.simulated.simulate(.reboot)
        await made.vault.lockIfIdle()
        #expect(await made.state == .locked)
    }

    @Test func `A17: sleep counts as idle time and as waiting`() async throws {
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

    @Test(arguments: [-1_900, -1_000, 1_000, 2_000])
    func `A18: a step of network time or a rounded second locks nobody out`(step: Int64) async throws {
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
}
