import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody at the unlocked device tries PINs.
@Suite struct GuessingTests {
    @Test(.holds("A10")) func `an attempt is durable, in ledger and anchor, before the slow derivation runs`()
        async throws
    {
        let simulated = SimulatedDevice()
        let seen = Seen()
        let watched = WatchedDevice(simulated) { call in await seen.look(at: call) }
        let made = try await TestVault.make(on: simulated, seenAs: watched.device)
        await made.vault.lock()
        await seen.watch(made)
        _ = await refusal { try await made.guess() }
        // The anchor rises last before the derivation; the ledger on disk already holds the attempt, and nothing is told yet.
        #expect(await seen.failures == [1])
        #expect(await seen.told == [0])
        #expect(made.log.count(.passwordFailure) == 1)
    }

    @Test(.holds("A10")) func `the right PIN opens on the last try that is allowed`() async throws {
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        await made.vault.lock()
        for number in 1...9 {
            #expect(await refusal { try await made.guess(number) } == .strongFactorRefused)
            try made.waitADay()
        }
        try await made.strong()
        #expect(try await made.look().failedAttempts == 0)
    }

    @Test(.holds("A11")) func `a restarted app goes on counting: four guesses, then a wait`() async throws {
        var made = try await TestVault.make()
        for number in 1...4 {
            made = try await made.restarted()
            #expect(await refusal { try await made.guess(number) } == .strongFactorRefused)
        }
        made = try await made.restarted()
        let error = await fault { try await made.strong() }
        #expect(error?.code == .attemptDelayed && error?.retryAfter == .seconds(30))
    }

    @Test(.holds("A13")) func `a hundred tasks that guess at once get four answers between them`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        let codes = await withTaskGroup(of: ErrorCode?.self) { group in
            for number in 0..<100 { group.addTask { await refusal { try await made.guess(number) } } }
            var codes: [ErrorCode?] = []
            for await code in group { codes.append(code) }
            return codes
        }
        #expect(codes.count { $0 == .strongFactorRefused } == 4)
        #expect(codes.count { $0 == .attemptDelayed } == 96)
        #expect(made.log.count(.passwordFailure) == 4)
        #expect(await !made.vault.holdsKey)
    }

    @Test(.holds("A13")) func `among fifty guesses at once the right one opens only while its turn is allowed`()
        async throws
    {
        let made = try await TestVault.make()
        await made.vault.lock()
        let (right, wrong) = await withTaskGroup(of: (isRight: Bool, code: ErrorCode?).self) { group in
            for number in 0..<50 { group.addTask { (false, await refusal { try await made.guess(number) }) } }
            group.addTask { (true, await refusal { try await made.strong() }) }
            var codes: [(isRight: Bool, code: ErrorCode?)] = []
            for await answer in group { codes.append(answer) }
            return (codes.filter(\.isRight).map(\.code), codes.filter { !$0.isRight }.map(\.code))
        }
        let answered = wrong.count { $0 == .strongFactorRefused }
        #expect(wrong.count { $0 == .attemptDelayed } == 50 - answered)
        if await made.isOpen {
            // At most three were answered before it, and those that came behind it count anew.
            #expect(right == [nil] && (4...7).contains(answered), "\(answered)")
        } else {
            #expect(right == [.attemptDelayed] && answered == 4, "\(answered)")
        }
    }

    @Test func `the waits are 30 s, 1 min, 5 min, 15 min, 1 h, 4 h, and then a day before each try`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        for number in 1...3 { #expect(await refusal { try await made.guess(number) } == .strongFactorRefused) }
        let waits: [Milliseconds] = [
            .seconds(30), .minutes(1), .minutes(5), .minutes(15), .hours(1), .hours(4), .hours(24), .hours(24),
        ]
        for (step, wait) in waits.enumerated() {
            #expect(await refusal { try await made.guess(10 + step) } == .strongFactorRefused)
            let error = await fault { try await made.strong() }
            #expect(error?.code == .attemptDelayed && error?.retryAfter == wait, "step \(step)")
            try made.advance(wait - Milliseconds(1))
            #expect(await refusal { try await made.strong() } == .attemptDelayed)
            try made.advance(Milliseconds(1))
        }
        try await made.strong()
    }

    @Test(.holds("A34")) func `failing on purpose only ever adds demands`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let wallet = try await made.add("Savings")
        await made.vault.lock()
        for round in 0..<12 {
            for touch in [SimulatedTouch.mismatch, .mismatchThenCancel, .fallback] {
                _ = await refusal { try await made.touch(touch) }
            }
            _ = await refusal { try await made.guess(round) }
            try made.advance(.hours(25))
            #expect(try await made.look().slots.contains { $0.kind == .localSecret })
            #expect(await refusal { try await made.secret(of: wallet.id) } == .locked)
            #expect(await !made.vault.holdsKey)
        }
        try await made.strong()
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
    }

    @Test(.holds("A35")) func `a thousand wrong PINs change no envelope and no wallet, and the right one opens`()
        async throws
    {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        let slots = try made.slots()
        let rows = try made.wallets()
        let head = try made.contents().head
        await made.vault.lock()
        for number in 1...1_000 {
            #expect(await refusal { try await made.guess(number) } == .strongFactorRefused, "guess \(number)")
            try made.waitADay()
        }
        #expect(try made.slots() == slots && made.wallets() == rows && made.contents().head == head)
        try await made.strong()
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
    }
}

/// What lies on disk, and what was told, whenever the anchor rises.
private actor Seen {
    private var made: TestVault?
    private(set) var failures: [UInt32] = []
    private(set) var told: [Int] = []

    func watch(_ made: TestVault) { self.made = made }

    func look(at call: SimulatedCall) {
        guard case .anchorMove = call, let made, let row = try? made.contents().ledger,
            let ledger = try? Ledger(parsing: row.body)
        else { return }
        failures.append(ledger.attempts.failures)
        told.append(made.log.count(.passwordFailure))
    }
}
