import Testing
import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody presses "delete" for the owner.
@Suite struct AuthorizationTests {
    @Test(.holds("A61", "C5")) func `an authorisation is good for exactly sixty seconds`() async throws {
        let made = try await TestVault.make()
        let one = try await made.add("One")
        let two = try await made.add("Two")
        let first = Held(try await made.strong())
        try made.advance(.seconds(60))
        try await made.vault.deleteWallet(one.id, first.take())
        let second = Held(try await made.strong())
        try made.advance(.seconds(60) + Milliseconds(1))
        #expect(await refusal { try await made.vault.deleteWallet(two.id, second.take()) } == .authorizationExpired)
        #expect(try await made.vault.wallets() == [two])
    }

    @Test(.holds("A61")) func `an authorisation ends with its session`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        let first = Held(try await made.strong())
        await made.vault.lock()
        #expect(await refusal { try await made.vault.deleteWallet(wallet.id, first.take()) } == .locked)
        let second = Held(try await made.strong())
        await made.vault.lock()
        try await made.strong()
        #expect(await refusal { try await made.vault.deleteWallet(wallet.id, second.take()) } == .authorizationExpired)
    }

    @Test(.holds("A61", "A38")) func `an authorisation ends with its PIN, also when another process changed that`()
        async throws
    {
        let one = try await TestVault.make()
        let wallet = try await one.add("Savings")
        let two = try await one.reopened()
        let before = Held(try await one.strong())
        try await two.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await two.strong())
        #expect(await refusal { try await one.vault.deleteWallet(wallet.id, before.take()) } == .authorizationExpired)
        #expect(await one.isOpen, "the session stands")

        let key = try await two.vault.unlock(with: SecretBytes(text: "840275"))
        let text = try await two.vault.createRecoveryKey(key) { $0.exposedText }
        try await two.vault.confirmRecoveryKey(
            SecretBytes(text: text),
            two.vault.unlock(with: SecretBytes(text: "840275"))
        )
        let forgotten = Held(try await one.vault.unlock(with: SecretBytes(text: "840275")))
        try await two.vault.recover(with: SecretBytes(text: text), newSecret: SecretBytes(text: "619053"))
        let code = await refusal { try await one.vault.enableBiometrics(one.consent, forgotten.take()) }
        #expect(code == .authorizationExpired, "who forgot the PIN, or fears it, has put an end to it")
        #expect(try await two.look().biometrics == .disabled)
    }

    @Test(.holds("A4")) func `an authorisation outlives the cost upgrade that came with it`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        let former = try made.slot(.localSecret)
        var configuration = TestVault.configuration()
        configuration.argon2 = .insecureTestStronger
        let vault = try await Vault.open(in: made.path, device: made.device, configuration: configuration)
        try await vault.deleteWallet(wallet.id, try await vault.unlock(with: SecretBytes(text: TestVault.pin)))
        #expect(try made.slot(.localSecret) != former, "the slot is another one")
        #expect(try await vault.wallets().isEmpty)
    }

    @Test(.holds("A61")) func `an authorisation of another vault is worth nothing`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        // On the same device, at the same time, after the same calls.
        let other = try await TestVault.make(on: made.simulated)
        try await other.add("Savings")
        let foreign = Held(try await other.strong())
        try await made.strong()
        #expect(await refusal { try await made.vault.deleteWallet(wallet.id, foreign.take()) } == .authorizationExpired)
        #expect(try await made.vault.wallets() == [wallet])
    }

    @Test(
        .holds("A61"),
        arguments: [
            // Back, the session is over too; forward, it goes on by the clock that nobody can set.
            (Milliseconds.hours(-1), ErrorCode.locked), (.hours(1), .authorizationExpired), (.seconds(-30), .locked),
        ]
    )
    func `a clock that was set makes an authorisation worthless, not eternal`(shift: Milliseconds, code: ErrorCode)
        async throws
    {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        let authorization = Held(try await made.strong())
        try made.simulated.simulate(.clock(shift))
        #expect(await refusal { try await made.vault.deleteWallet(wallet.id, authorization.take()) } == code)
        try await made.strong()
        #expect(try await made.vault.wallets() == [wallet])
    }

    @Test(
        .holds("A61"),
        arguments: [
            (ClockStep(wall: 0, boottime: 0), true), (ClockStep(wall: 60_000, boottime: 60_000), true),
            (ClockStep(wall: 60_000, boottime: 60_001), false), (ClockStep(wall: 60_001, boottime: 60_000), false),
            // The wall clock was set forward, or one of the two back.
            (ClockStep(wall: 3_600_000, boottime: 1_000), false), (ClockStep(wall: -3_600_000, boottime: 1_000), false),
            (ClockStep(wall: 1_000, boottime: -3_600_000), false),
            (ClockStep(wall: 1_000, boottime: 1_000, isRebooted: true), false),
        ]
    )
    func `only clocks that agree on a span tell that it is not over`(step: ClockStep, isWithin: Bool) {
        let given = ClockReading(wall: .days(20_000), boottime: .hours(3), bootID: Identifier(high: 1, low: 1))
        let now = ClockReading(
            wall: given.wall + Milliseconds(step.wall),
            boottime: given.boottime + Milliseconds(step.boottime),
            bootID: step.isRebooted ? Identifier(high: 2, low: 2) : given.bootID
        )
        #expect(given.isWithin(StrongAuthorization.lifetime, before: now) == isWithin)
    }

    @Test(.holds("A61")) func `a wrong PIN gives no authorisation, also in an open session`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        let code = await refusal {
            let authorization = try await made.vault.unlock(with: SecretBytes(text: "730000"))
            try await made.vault.deleteWallet(wallet.id, authorization)
        }
        #expect(code == .strongFactorRefused)
        #expect(try await made.vault.wallets() == [wallet])
    }
}

/// By how many milliseconds the two clocks moved on.
struct ClockStep {
    let wall: Int64
    let boottime: Int64
    var isRebooted = false
}
