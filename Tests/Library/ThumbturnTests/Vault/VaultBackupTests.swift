import Foundation
import Testing
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultBackupTests {
    @Test(.holds("A26")) func `a backup makes the same wallets on another device, with a new PIN`() async throws {
        let (made, key) = try await Self.backedUp()
        let target = try TemporaryFolder()
        let device = SimulatedDevice().device
        let vault = try await made.restore(key, into: target, on: device)
        #expect(try await vault.wallets() == (try await made.vault.wallets()))
        for wallet in try await vault.wallets() {
            let text = try await vault.withSecret(of: wallet.id) { _, bytes in bytes.exposedText }
            #expect(text == "secret of \(wallet.name.text)")
        }
        await vault.close()
        let again = try await Vault.open(
            in: target.file("vault"),
            device: device,
            configuration: TestVault.configuration()
        )
        try await again.unlock(with: SecretBytes(text: "840275"))
        await again.lock()
        try await again.unlock(withRecoveryKey: SecretBytes(text: key))
        #expect(try await again.refresh().biometrics == .disabled)
    }

    @Test func `a backup of one kind of device is restored on another`() async throws {
        let (made, key) = try await Self.backedUp()
        let target = try TemporaryFolder()
        let device = SimulatedDevice().seen(as: .apple)
        let vault = try await made.restore(key, into: target, on: device)
        #expect(await vault.snapshot.device == .apple)
        await vault.close()
        _ = try await Vault.open(in: target.file("vault"), device: device, configuration: TestVault.configuration())
    }

    @Test(.holds("B-12", "A62")) func `a backup holds no slot but the recovery key's, and names no item of the device`()
        async throws
    {
        let (made, _) = try await Self.backedUp()
        let items = try made.slots().compactMap(\.item)
        #expect(items.count == 2)
        let store = try VaultStore(openingIn: made.folder.path, named: "backup", vfs: nil)
        let contents = try store.contents()
        store.close()
        let slots = try contents.slots.map { try SlotRecord(parsing: $0.record) }
        #expect(slots.map(\.kind) == [.recovery] && slots.allSatisfy { $0.item == nil })
        #expect(contents.ledger == nil && contents.leftovers.isEmpty)
        let bytes = try made.folder.read("backup")
        for item in items {
            let unique = Array(item.text.utf8.suffix(32))
            #expect(!bytes.contains(run: unique))
        }
        #expect(!bytes.contains(run: Array("device-secret".utf8)) && !bytes.contains(run: Array("bio-slot".utf8)))
    }

    @Test func `a backup asks for a recovery key that was typed back`() async throws {
        let made = try await TestVault.make()
        let code = await refusal { try await made.vault.backUp(to: made.backup, try await made.strong()) }
        #expect(code == .recoveryMissing)
        _ = try await made.makeRecoveryKey(confirming: false)
        let still = await refusal { try await made.vault.backUp(to: made.backup, try await made.strong()) }
        #expect(still == .recoveryMissing)
        #expect(try made.folder.files().keys.allSatisfy { $0.hasPrefix("vault/") && !$0.contains("partial") })
    }

    @Test func `a backup overwrites nothing`() async throws {
        let (made, _) = try await Self.backedUp()
        let before = try made.folder.read("backup")
        #expect(await refusal { try await made.vault.backUp(to: made.backup, try await made.strong()) } == .fileExists)
        #expect(try made.folder.read("backup") == before)
    }

    @Test(.holds("ERR-TT-320")) func `a backup into the vault's own folder is refused, also through a link to it`()
        async throws
    {
        let (made, _) = try await Self.backedUp()
        let link = made.folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: made.path)
        for folder in [made.path, link] {
            let code = await refusal { try await made.vault.backUp(to: folder + "/b", try await made.strong()) }
            #expect(code == .backupInsideVault)
            #expect(!FileManager.default.fileExists(atPath: made.path + "/b"))
        }
        try await made.vault.backUp(to: made.folder.file("beside"), try await made.strong())
    }

    @Test func `a backup to where nobody may write, not even root, is refused and leaves nothing`() async throws {
        #if os(Linux)
        let path = "/sys/thumbturn-backup"
        #else
        let path = "/System/thumbturn-backup"
        #endif
        let made = try await TestVault.make()
        _ = try await made.makeRecoveryKey()
        #expect(await refusal { try await made.vault.backUp(to: path, try await made.strong()) } == .storageUnavailable)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try made.folder.files().keys.allSatisfy { $0.hasPrefix("vault/") && !$0.contains("partial") })
        try await made.vault.backUp(to: made.backup, try await made.strong())
    }

    @Test func `nothing is restored over a vault, nor from nothing`() async throws {
        let (made, key) = try await Self.backedUp()
        let device = SimulatedDevice().device
        #expect(await refusal { try await made.restore(key, into: made.folder, on: device) } == .vaultExists)
        let empty = try TemporaryFolder()
        let code = await refusal { try await made.restore(key, from: empty.file("none"), into: empty, on: device) }
        #expect(code == .vaultMissing)
        try await made.strong()
    }

    @Test func `a backup that is too large is refused before it is copied`() async throws {
        let (made, key) = try await Self.backedUp()
        // A file of holes: it takes no room until somebody copies it.
        #expect(unsafe truncate(made.backup, off_t(PlainFile.mostBytes) + 1) == 0)
        let target = try TemporaryFolder()
        let copied = target.file("copy")
        #expect(throws: VaultError(.backupTooLarge)) { try FileCopy.copy(made.backup, to: copied) }
        let device = SimulatedDevice().device
        #expect(await refusal { try await made.restore(key, into: target, on: device) } == .backupTooLarge)
        #expect(try target.files().isEmpty)
        #expect(unsafe truncate(made.backup, off_t(PlainFile.mostBytes)) == 0)
        try Vault.checkBackup(at: made.backup)
    }

    @Test func `the wrong key restores nothing, and the next try succeeds`() async throws {
        let (made, key) = try await Self.backedUp()
        let wrong = try await TestVault.make().makeRecoveryKey()
        let target = try TemporaryFolder()
        let simulated = SimulatedDevice()
        #expect(
            await refusal { try await made.restore(wrong, into: target, on: simulated.device) } == .strongFactorRefused
        )
        #expect(
            await refusal { try await Vault.open(in: target.file("vault"), device: simulated.device) } == .vaultMissing
        )
        let vault = try await made.restore(key, into: target, on: simulated.device)
        #expect(try await vault.wallets().count == 3)
    }

    @Test func `a tampered backup restores nothing`() async throws {
        let (made, key) = try await Self.backedUp()
        let edits: [(VaultStore) throws -> Void] = [
            { store in
                let head = try #require(try store.contents().head)
                var body = head.body
                body[body.count - 40] ^= 1
                try store.setHead(VaultStore.TaggedRow(body: body, mac: head.mac))
            },
            { store in
                let head = try #require(try store.contents().head)
                var mac = head.mac
                mac[0] ^= 1
                try store.setHead(VaultStore.TaggedRow(body: head.body, mac: mac))
            },
            { store in
                let id = try #require(store.firstWallet)
                try store.removeWallet(id)
            },
            { store in
                let id = try #require(store.firstWallet)
                try store.setLabel([1, 2, 3], of: id)
            },
        ]
        for (number, edit) in edits.enumerated() {
            let name = "edited\(number)"
            try made.folder.write(try made.folder.read("backup"), to: name)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: made.folder.file(name))
            let store = try VaultStore(openingIn: made.folder.path, named: name, vfs: nil)
            try edit(store)
            try store.eraseDeleted()
            store.close()
            let target = try TemporaryFolder()
            let device = SimulatedDevice().device
            let code = await refusal {
                try await made.restore(key, from: made.folder.file(name), into: target, on: device)
            }
            #expect(code == .vaultTampered, "edit \(number)")
            #expect(await refusal { try await Vault.open(in: target.file("vault"), device: device) } == .vaultMissing)
        }
    }

    @Test(.holds("A40")) func `a backup that was cut short restores nothing, wherever it was cut`() async throws {
        let (made, key) = try await Self.backedUp()
        let bytes = try made.folder.read("backup")
        for step in 0..<40 {
            let name = "cut\(step)"
            try made.folder.write(Array(bytes.prefix(bytes.count * step / 40)), to: name)
            let target = try TemporaryFolder()
            let simulated = SimulatedDevice()
            let code = await refusal {
                try await made.restore(key, from: made.folder.file(name), into: target, on: simulated.device)
            }
            #expect(code == .vaultDamaged, "cut at \(step)/40: \(code?.text ?? "restored")")
            let opened = await refusal { try await Vault.open(in: target.file("vault"), device: simulated.device) }
            #expect(opened == .vaultMissing, "cut at \(step)/40")
            #expect(try simulated.itemNames().isEmpty && simulated.anchorNames().isEmpty, "cut at \(step)/40")
        }
    }

    @Test func `a backup and its restoring tell how far they are`() async throws {
        let (made, key) = try await Self.backedUp()
        let steps = Shared<[WorkProgress]>([])
        let other = made.folder.file("second")
        try await made.vault.backUp(to: other, try await made.strong()) { steps.append($0) }
        let target = try TemporaryFolder()
        _ = try await Vault.restore(
            from: other,
            in: target.file("vault"),
            device: SimulatedDevice().device,
            recoveryKey: SecretBytes(text: key),
            newSecret: SecretBytes(text: "840275"),
            configuration: TestVault.configuration()
        ) { steps.append($0) }
        #expect(steps.value == [WorkProgress(done: 3, total: 3), WorkProgress(done: 3, total: 3)])
    }

    @Test func `that a backup was verified is noted in a turn of its own`() async throws {
        let (made, key) = try await Self.backedUp()
        let (backup, scratch, vault) = (made.backup, made.folder.path, made.path)
        let other = try ProcessLock(in: vault)
        #expect(try other.tryAcquire())
        let verifying = Task {
            try await Vault.verifyBackup(
                at: backup,
                recoveryKey: SecretBytes(text: key),
                in: scratch,
                noting: vault,
                at: Milliseconds(7)
            )
        }
        try await Task.sleep(nanoseconds: 500_000_000)
        #expect(try #require(BackupNote.read(in: vault)).note.verifiedAt == nil)
        other.release()
        #expect(try await verifying.value == 3)
        #expect(BackupNote.read(in: vault)?.note.verifiedAt == Milliseconds(7))
    }

    @Test func `a reset takes what is remembered of backups, and what a crash left of that`() async throws {
        let (made, _) = try await Self.backedUp()
        try made.folder.write([1], to: "vault/backup.note.new")
        try await made.vault.reset(ResetConfirmation(typed: "RESET"))
        #expect(try made.folder.files().keys.allSatisfy { !$0.contains("backup.note") })
    }

    /// A vault with three wallets and a finger, its recovery key, and a backup beside it.
    private static func backedUp() async throws -> (TestVault, key: String) {
        let made = try await TestVault.make(biometrics: true)
        for name in ["One", "Two", "Three"] { try await made.add(name, "secret of \(name)") }
        let key = try await made.makeRecoveryKey()
        try await made.vault.backUp(to: made.backup, try await made.strong())
        return (made, key)
    }
}

extension TestVault {
    var backup: String { folder.file("backup") }

    func restore(
        _ key: String,
        from path: String? = nil,
        into target: TemporaryFolder,
        on device: Device
    ) async throws -> Vault {
        try await Vault.restore(
            from: path ?? backup,
            in: target.file("vault"),
            device: device,
            recoveryKey: SecretBytes(text: key),
            newSecret: SecretBytes(text: "840275"),
            configuration: Self.configuration()
        )
    }
}

extension VaultStore {
    var firstWallet: Identifier? {
        var first: Identifier?
        try? forEachWallet { first = first ?? $0.id }
        return first
    }

    /// Writes a label over a wallet's, and leaves its tag.
    func setLabel(_ label: [UInt8], of id: Identifier) throws {
        guard var record = try wallet(id) else { return }
        record.label = label
        try rename(record)
    }
}
