import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody puts back an older file.
@Suite struct RollbackTests {
    @Test(.holds("A7", "INV-107-08"))
    func `an old copy of the vault is ERR-107-050, waits a day, and the recovery key opens it at once`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        try await changed.touch()
        _ = try await changed.add("Later")
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")

        let again = try await made.reopened()
        #expect(again.log.kinds == [.ledgerUnreliable])
        #expect(await refusal { try await again.touch() } == .ledgerUnreliable)
        #expect(ErrorCode.ledgerUnreliable.text == "ERR-107-050" && made.simulated.promptsShown == 1)
        let early = await fault { try await again.strong() }
        #expect(early?.code == .attemptDelayed && early?.retryAfter == .hours(24))
        try await again.unlock(key)
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A7")) func `without a recovery key the owner waits a day and is not shut out`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.close()
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        for number in 1...2 { _ = await refusal { try await changed.guess(number) } }
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")

        let again = try await made.reopened()
        try made.advance(.hours(24) - Milliseconds(1))
        #expect(await refusal { try await again.strong() } == .attemptDelayed)
        try made.advance(Milliseconds(1))
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(await refusal { try await again.add("A") } == .olderCopy)
        try await again.acceptOlderCopy()
        #expect(await again.isOpen)
        try await again.add("A")
        #expect(try await again.look().decision == .promptBiometrics)
    }

    @Test(.holds("A8")) func `the ledger put back before the guesses lets nobody guess on`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        let ledger = try #require(try made.contents().ledger)
        for number in 1...5 {
            #expect(await refusal { try await made.guess(number) } == .strongFactorRefused)
            try made.advance(AttemptSchedule.delay(after: UInt32(number)))
        }
        try made.tamper { try $0.setLedger(ledger) }
        let again = try await made.restarted()
        let error = await fault { try await again.guess(6) }
        #expect(error?.code == .attemptDelayed && error?.retryAfter == .hours(24))
        #expect(again.log.kinds == [.ledgerUnreliable])
    }

    @Test(.holds("A8")) func `each older ledger in turn is refused, and no number of them shortens the wait`()
        async throws
    {
        let made = try await TestVault.make()
        await made.vault.lock()
        var ledgers: [VaultStore.TaggedRow] = []
        for number in 1...4 {
            ledgers.append(try #require(try made.contents().ledger))
            _ = await refusal { try await made.guess(number) }
        }
        for ledger in ledgers + ledgers.reversed() {
            try made.tamper { try $0.setLedger(ledger) }
            let again = try await made.reopened()
            let error = await fault { try await again.strong() }
            #expect(error?.code == .attemptDelayed && error?.retryAfter == .hours(24))
        }
    }

    @Test(.holds("INV-107-08")) func `a ledger that another vault wrote, or that is missing, is not believed`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let other = try await TestVault.make(biometrics: true)
        try made.tamper { try $0.setLedger(#require(other.contents().ledger)) }
        let again = try await made.restarted()
        #expect(await refusal { try await again.touch() } == .ledgerUnreliable)
        #expect(await refusal { try await again.strong() } == .attemptDelayed)
    }

    @Test(.holds("A8")) func `an anchor that is lost is a ledger that can't be believed`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let item = try #require(try made.slot(.localSecret).item)
        try await made.simulated.remove(for: item)
        let again = try await made.restarted()
        #expect(await refusal { try await again.touch() } == .ledgerUnreliable)
        try made.waitADay()
        try await again.acceptOlderCopy()
        await again.vault.lock()
        try await again.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("A10")) func `a ledger one step ahead of its anchor is a crash, and its attempt counts`() async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try await made.vault.writeAhead(by: 1, attempts: 2)
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.failedAttempts == 2)
        #expect(again.log.kinds.isEmpty)
        try await again.touch()
        let third = try await again.restarted()
        #expect(await third.vault.snapshot.failedAttempts == 2)
    }

    @Test(.holds("A8")) func `a ledger further ahead than a crash explains is not believed`() async throws {
        let made = try await TestVault.make(biometrics: true)
        try await made.vault.writeAhead(by: 2)
        let again = try await made.restarted()
        #expect(await refusal { try await again.touch() } == .ledgerUnreliable)
    }
}

extension Vault {
    /// Writes an authentic ledger that lies ahead of its anchor.
    fileprivate func writeAhead(by steps: UInt64, attempts: UInt32 = 0) throws {
        var ledger = state.ledger
        for _ in 0..<steps { ledger = ledger.successor(mark: .make()) }
        ledger.attempts.failures = attempts
        try store.setLedger(bookkeeper.tagged(ledger))
    }
}
