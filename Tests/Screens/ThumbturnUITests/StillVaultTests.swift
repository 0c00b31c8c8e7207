import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnPreviews
import ThumbturnRules
import ThumbturnTestKit
import ThumbturnUI

@MainActor @Suite("A vault that stands still", .waitsEnd)
struct StillVaultTests {
    private static let open = VaultSnapshot(
        state: .unlocked(.full),
        slots: [VaultSnapshot.Slot(kind: .recovery, assurance: nil)],
        walletCount: 1
    )

    @Test func `it stands behind every screen, and refuses what it was told to`() async {
        var vault = StillVault(Self.open)
        vault.refusal = .diskFull
        let pin = SecretBytes(text: TestVault.pin)

        let words = WordsModel(vault, wallet: .make())
        await until { !words.loading }
        await words.enter(pin)
        #expect(words.error?.errorCode == .diskFull && words.step == .secret)

        let key = RecoveryKeyModel(vault)
        await until { !key.loading }
        key.make()
        await key.enter(pin)
        #expect(key.error?.errorCode == .diskFull && key.step == .secret)

        let backup = BackupModel(vault, to: { "/nowhere" })
        await until { !backup.loading }
        backup.start()
        await backup.enter(pin)
        #expect(backup.error?.errorCode == .diskFull && backup.step == .secret)

        let change = PINChangeModel(vault)
        await until { !change.loading }
        await change.enter(pin)
        #expect(change.error?.errorCode == .diskFull && change.step == .present)

        let settings = BiometricSettingsModel(vault)
        await until { !settings.loading }
        await settings.enable(settings.consent(), with: pin)
        #expect(settings.error?.errorCode == .diskFull)
    }

    @Test func `it says its snapshot, its backup and its trail`() async {
        var vault = StillVault(Self.open)
        vault.backedUpAt = .days(1)
        vault.trail = TrailPage(events: [TrailEvent(.vaultCreated, at: .zero, seq: 0)], beganBecause: "created")
        let backup = BackupModel(vault, to: { "/nowhere" })
        await until { !backup.loading }
        #expect(backup.madeAt == .days(1) && backup.advice == nil)
        let trail = TrailModel(vault)
        await until { !trail.loading }
        await trail.load()
        #expect(trail.events.map(\.kind) == [.vaultCreated])
        let lock = AppUnlockModel(vault)
        await until { lock.screen == .content }
    }

    @Test func `without a snapshot every screen is still being read`() async {
        let model = PINChangeModel(StillVault(nil))
        for _ in 0..<100 { await Task.yield() }
        #expect(model.loading)
    }
}
