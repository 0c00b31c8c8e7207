import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody read the ledger's secret once: from a copy of what the device keeps, or by code that ran as the user.
///
/// Later he writes the vault's folder, and nothing else.
@Suite struct FormerLedgerTests {
    private static let newPIN = "840275"

    /// What ends a secret that was read.
    enum Cure: CaseIterable {
        case newPIN, rekey
    }

    private func cure(_ made: TestVault, by cure: Cure) async throws {
        let proof = try await made.strong()
        switch cure {
        case .newPIN: try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof)
        case .rekey: try await made.vault.rekey(with: SecretBytes(text: Self.newPIN), recoveryKey: nil, proof)
        }
        await made.vault.lock()
    }

    @Test(.holds("A8"), arguments: Cure.allCases)
    func `who read the ledger's secret takes no guess back once the PIN or the key is new`(by cure: Cure) async throws {
        let made = try await TestVault.make()
        let thief = try await LedgerThief(reading: made)
        await made.vault.lock()
        #expect(await refusal { try await made.guess() } == .strongFactorRefused)
        try await thief.forge(in: made) { $0.clearAttempts() }
        #expect(try await made.look().failedAttempts == 0, "he can, as long as the secret is the ledger's")

        try await self.cure(made, by: cure)
        var (again, answered) = (made, 0)
        for number in 1...12 {
            again = try await again.restarted()
            if await refusal({ try await again.guess(number) }) == .strongFactorRefused { answered += 1 }
            try await thief.forge(in: again) { $0.clearAttempts() }
        }
        #expect(answered == 1)
        let snapshot = try await again.look()
        #expect(snapshot.failedAttempts == AttemptSchedule.suspensionLimit && !snapshot.ledgerIsReliable)
        #expect(await fault { try await again.guess() }?.retryAfter == .hours(24))
    }

    @Test(.holds("A7"), arguments: Cure.allCases)
    func `nor does he name an older head the newest, in which a wallet is missing`(by cure: Cure) async throws {
        let made = try await TestVault.make()
        let thief = try await LedgerThief(reading: made)
        try await self.cure(made, by: cure)
        await made.vault.close()
        let image = try FolderImage(of: made.path)
        let later = try await made.reopened()
        try await later.vault.unlock(with: SecretBytes(text: Self.newPIN))
        try await later.add("Newest")
        await later.vault.close()
        let newest = try Ledger(parsing: #require(later.contents().ledger).body)

        try image.restore(to: made.path)
        let head = try #require(try made.contents().head).digest
        try await thief.forge(in: made, newest) { $0.head = head }
        let again = try await made.reopened()
        #expect(try await again.look().isOlderCopy)
        try made.waitADay()
        try await again.vault.unlock(with: SecretBytes(text: Self.newPIN))
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A8", "A22"), arguments: Cure.allCases)
    func `the former ledger's secret and anchor are gone, or the change is not called done`(by cure: Cure) async throws
    {
        let made = try await TestVault.make()
        let former = try #require(try made.slot(.localSecret).item)
        made.simulated.interceptor = { call in
            if case .delete(former) = call { throw DeviceRefusal.unavailable }
            return .proceed
        }
        #expect(await refusal { try await self.cure(made, by: cure) } == .formerSecretRemains)
        #expect(await made.vault.snapshot.formerSecretRemains)
        #expect(try made.contents().leftovers.map(\.item) == [former])
        made.simulated.interceptor = nil
        let again = try await made.restarted()
        #expect(try await again.look().formerSecretRemains == false)
        #expect(try await made.simulated.describe(former) == nil)
        #expect(try await made.simulated.position(for: former) == nil)
        try await again.vault.unlock(with: SecretBytes(text: Self.newPIN))
        #expect(await again.isOpen && again.log.kinds == [.passwordFallback])
    }

    @Test(.holds("A8"))
    func `an account's new password ends the ledger's secret too`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account)
        let former = try made.slot(.password)
        let item = try #require(former.item)
        await made.vault.lock()
        account.changePassword()
        try await made.strong(account)
        #expect(await made.isOpen)
        let slot = try made.slot(.password)
        #expect(slot.id != former.id && slot.item != item)
        #expect(try await made.simulated.describe(item) == nil)
        #expect(try await made.simulated.position(for: item) == nil)
        #expect(try made.contents().leftovers.isEmpty)
        try await made.restarted().strong(account)
    }
}

/// Computes the ledger's key for good.
private struct LedgerThief {
    private let key: HeldSecret

    init(reading made: TestVault) async throws {
        let slot = try made.slot(.localSecret)
        let input = Array("thumbturn.v1.ledger-key".utf8) + slot.vault.bytes
        key = HeldSecret(try await made.simulated.evaluate(try #require(slot.item), input: input))
    }

    /// Writes a row of his own where `row` stands, or the stored one.
    func forge(in made: TestVault, _ row: Ledger? = nil, _ edit: (inout Ledger) -> Void) async throws {
        var forged = try row ?? Ledger(parsing: #require(made.contents().ledger).body)
        edit(&forged)
        let body = forged.bytes
        let mac = HMACSHA256.tag(Array("thumbturn.v1.ledger".utf8) + body, key: key.bytes)
        try made.tamper { try $0.setLedger(VaultStore.TaggedRow(body: body, mac: mac)) }
    }
}
