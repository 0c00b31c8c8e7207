import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody who knows a former PIN has a copy of the vault's folder from before it was changed.
@Suite struct FormerPINTests {
    private static let newPIN = "840275"

    /// A vault whose PIN was changed, and its file from before.
    private func changed(
        biometrics: Bool = false,
        wallet: Bool = false
    ) async throws -> (made: TestVault, former: [UInt8], key: String) {
        let made = try await TestVault.make(biometrics: biometrics)
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let former = try made.folder.read("vault/vault.sqlite")
        let later = try await made.reopened()
        try await later.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), try await later.strong())
        if wallet { _ = try await later.add("Later") }
        await later.vault.close()
        return (made, former, key)
    }

    private func unlock(_ made: TestVault, _ pin: String = newPIN) async throws {
        _ = try await made.vault.unlock(with: SecretBytes(text: pin))
    }

    @Test(.holds("A7")) func `a copy from before a new PIN says keyMissing to each PIN and to the finger`() async throws
    {
        let (made, former, _) = try await changed(biometrics: true)
        try made.folder.write(former, to: "vault/vault.sqlite")
        for _ in 1...2 {
            let copy = try await made.reopened()
            #expect(await copy.vault.snapshot.condition == .keyMissing)
            #expect(await refusal { try await unlock(copy, TestVault.pin) } == .keyMissing)
            #expect(await refusal { try await unlock(copy) } == .keyMissing)
            #expect(await refusal { try await copy.touch() } == .keyMissing)
            await copy.vault.close()
            try made.waitADay()
        }
        #expect(made.simulated.promptsShown == 0)
    }

    @Test(.holds("A7")) func `looking at such a copy costs the vault that it is a copy of nothing`() async throws {
        let (made, former, key) = try await changed(wallet: true)
        let today = try made.folder.read("vault/vault.sqlite")
        try made.folder.write(former, to: "vault/vault.sqlite")
        let copy = try await made.reopened()
        _ = await refusal { try await unlock(copy, TestVault.pin) }
        try await copy.unlock(key)
        #expect(await copy.state == .unlocked(.exportOnly))
        await copy.vault.close()
        try made.folder.write(today, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        #expect(again.log.kinds.isEmpty)
        try await unlock(again)
        #expect(await again.isOpen)
    }

    @Test(.holds("P-107-01")) func `where a recovery key may only export, it makes no older copy the vault`()
        async throws
    {
        let made = try await TestVault.make(policy: .localPD107)
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let former = try made.folder.read("vault/vault.sqlite")
        let later = try await made.reopened()
        try await later.strong()
        _ = try await later.add("Later")
        await later.vault.close()
        try made.folder.write(former, to: "vault/vault.sqlite")
        let copy = try await made.reopened()
        let head = try copy.contents().head
        #expect(await refusal { try await copy.acceptOlderCopy(withRecoveryKey: key) } == .exportOnly)
        #expect(try copy.contents().head == head)
        #expect(try await copy.look().isOlderCopy)
    }

    @Test(.holds("A7")) func `with the recovery key such a copy exports, and is the vault once its owner says so`()
        async throws
    {
        let (made, former, key) = try await changed()
        try made.folder.write(former, to: "vault/vault.sqlite")
        let copy = try await made.reopened()
        let recover = {
            _ = try await copy.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "771204"))
        }
        #expect(await refusal(recover) == .olderCopy)
        #expect(await copy.vault.snapshot.isOlderCopy)
        try await copy.acceptOlderCopy(withRecoveryKey: key)
        try await recover()
        #expect(await copy.isOpen)
        let again = try await copy.restarted()
        try await unlock(again, "771204")
        #expect(await again.isOpen)
    }

    @Test(.holds("A7")) func `head and slot of before beside today's other rows open nothing`() async throws {
        let (made, former, _) = try await changed()
        let today = try made.contents()
        let file = try made.folder.read("vault/vault.sqlite")
        try made.folder.write(former, to: "vault/vault.sqlite")
        let old = (slot: try made.slot(.localSecret), head: try #require(try made.contents().head))
        try made.folder.write(file, to: "vault/vault.sqlite")
        let standing = try made.slot(.localSecret)
        for withHead in [false, true] {
            try made.tamper { store in
                try store.removeSlot(standing.id)
                try store.removeSlot(old.slot.id)
                try store.add(old.slot)
                if withHead { try store.setHead(old.head) }
            }
            let again = try await made.reopened()
            try made.waitADay()
            #expect(await refusal { try await unlock(again, TestVault.pin) } == .keyMissing)
            await again.vault.close()
            // And what was there is not spoiled by it.
            try made.tamper { store in
                try store.removeSlot(old.slot.id)
                try store.add(standing)
                try store.setHead(#require(today.head))
            }
            let mended = try await made.reopened()
            try await unlock(mended)
            #expect(await mended.isOpen)
            await mended.vault.close()
        }
    }

    @Test(.holds("C5")) func `each PIN has a device secret of its own, the ledger's too`() async throws {
        let made = try await TestVault.make()
        var seen: Set<ItemName> = []
        for number in 1...3 {
            let slot = try made.slot(.localSecret)
            let item = try #require(slot.item)
            #expect(seen.insert(item).inserted)
            #expect(try await made.simulated.position(for: item)?.isUsed == true, "no note deletes it any more")
            #expect(try made.contents().leftovers.isEmpty)
            let pin = number == 1 ? TestVault.pin : "84027\(number)"
            let proof = try await made.vault.unlock(with: SecretBytes(text: pin))
            try await made.vault.changeLocalSecret(to: SecretBytes(text: "84027\(number + 1)"), proof)
            #expect(try await made.simulated.describe(item) == nil)
            #expect(try await made.simulated.position(for: item) == nil)
        }
    }

    @Test(.holds("A22")) func `a new PIN is not done while the former one's secret may still be there`() async throws {
        let made = try await TestVault.make()
        let own = try #require(try made.slot(.localSecret).item)
        let proof = Held(try await made.strong())
        try made.simulated.simulate(.fault(.deleteFails))
        let change = await fault {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof.take())
        }
        #expect(change?.code == .formerSecretRemains && ErrorCode.formerSecretRemains.text == "ERR-TT-219")
        #expect(made.log.count(.localSecretChanged) == 1)
        #expect(await made.vault.snapshot.formerSecretRemains)
        #expect(try await made.simulated.describe(own) != nil)
        let again = try await made.restarted()
        #expect(try await again.look().formerSecretRemains == false)
        #expect(try await made.simulated.describe(own) == nil)
        #expect(await refusal { try await unlock(again, TestVault.pin) } == .strongFactorRefused)
        try await unlock(again)
    }

    @Test(.holds("A25")) func `no planted note deletes the PIN's own secret, also where its slot's row is hidden`()
        async throws
    {
        let made = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        for item in slot.items {
            try made.tamper { store in
                try store.removeSlot(slot.id)
                try store.addLeftover(item)
                try store.addLeftover(item, tag: Array(repeating: 7, count: 32))
            }
            _ = try await made.restarted().look()
            #expect(try await made.simulated.describe(item) != nil)
            try made.tamper { try $0.add(slot) }
        }
        try made.waitADay()
        try await made.restarted().strong()
    }

    @Test(.holds("A7", "A8")) func `an anchor that was removed makes a vault's first ledger none that is believed`()
        async throws
    {
        let made = try await TestVault.make()
        await made.vault.lock()
        let first = try #require(try made.contents().ledger)
        for number in 1...3 { _ = await refusal { try await made.guess(number) } }
        let item = try #require(try made.slot(.localSecret).item)
        try await made.simulated.remove(for: item)
        try made.tamper { try $0.setLedger(first) }
        var again = try await made.restarted()
        #expect(await fault { try await again.guess(4) }?.retryAfter == .hours(24))
        // Nor is the ledger that came of that, once the anchor is removed again.
        try made.waitADay()
        _ = try await again.look()
        let second = try #require(try made.contents().ledger)
        for number in 5...7 {
            try await made.simulated.remove(for: item)
            try made.tamper { try $0.setLedger(second) }
            again = try await again.restarted()
            #expect(await fault { try await again.guess(number) }?.retryAfter == .hours(24))
        }
    }

    @Test(.holds("K-10")) func `where the device makes no secret for it there is no new PIN, and the old one opens`()
        async throws
    {
        let made = try await TestVault.make()
        for fault in [SimulatedFault.saveFails, .saveFailsAfterStoring] {
            let proof = Held(try await made.strong())
            let before = try made.slot(.localSecret)
            try made.simulated.simulate(.fault(fault))
            let code = await refusal {
                try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof.take())
            }
            #expect(code == .storageUnavailable)
            #expect(try made.slot(.localSecret) == before)
        }
        try await made.restarted().strong()
    }

    enum Change: CaseIterable {
        case create, newPIN, recover, finger
    }

    @Test(.holds("A25"), arguments: Change.allCases)
    func `no copy of the folder from the midst of a change deletes what the vault that came of it needs`(
        change: Change
    ) async throws {
        let (folder, simulated) = (try TemporaryFolder(), SimulatedDevice())
        let path = folder.file("vault")
        let images = Images(of: path)
        let watched = WatchedDevice(simulated, follower: { _ in images.take() }, watcher: { _ in images.take() }).device
        func make(on device: Device) async throws -> Vault {
            try await Vault.create(
                in: path,
                device: device,
                secret: SecretBytes(text: TestVault.pin),
                policy: TestVault.policy,
                configuration: TestVault.configuration()
            ).vault
        }
        func open(_ path: String, _ device: Device) async throws -> Vault {
            try await Vault.open(in: path, device: device, configuration: TestVault.configuration())
        }
        var pin = TestVault.pin
        if change == .create {
            await (try await make(on: watched)).close()
        } else {
            let made = try await make(on: simulated.device)
            let proof = try await made.unlock(with: SecretBytes(text: pin))
            let key = try await made.createRecoveryKey(proof) { $0.exposedText }
            try await made.confirmRecoveryKey(
                SecretBytes(text: key),
                made.unlock(with: SecretBytes(text: pin))
            )
            await made.close()
            let vault = try await open(path, watched)
            pin = Self.newPIN
            switch change {
            case .create: break
            case .newPIN:
                let proof = try await vault.unlock(with: SecretBytes(text: TestVault.pin))
                try await vault.changeLocalSecret(to: SecretBytes(text: pin), proof)
            case .recover:
                try await vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: pin))
            case .finger:
                pin = TestVault.pin
                let proof = try await vault.unlock(with: SecretBytes(text: pin))
                try await vault.enableBiometrics(BiometricConsent(ownerAgreedAt: simulated.device.clock()), proof)
            }
            await vault.close()
        }
        #expect(images.all.count > 2)
        let live = try await open(path, simulated.device)
        let needed = await live.state.slots.filter { $0.kind != .recovery }.flatMap(\.items)
        #expect(needed.count == (change == .finger ? 2 : 1))
        await live.close()
        for (number, image) in images.all.enumerated() {
            try image.restore(to: folder.file("copy"))
            if let copy = try? await open(folder.file("copy"), simulated.device) {
                _ = try? await copy.refresh()
                await copy.close()
            }
            for item in needed { #expect(try await simulated.describe(item) != nil, "\(number)") }
        }
        // A copy that knows the ledger may have made the owner wait.
        let after = try await open(path, simulated.device)
        try simulated.simulate(.advance(.hours(24)))
        try await after.unlock(with: SecretBytes(text: pin))
        #expect(await after.hasSession)
    }

    /// A folder again and again, while somebody writes it.
    private final class Images: @unchecked Sendable {
        // Safe to share: `lock` guards the one field that changes.
        private let lock = NSLock()
        private let root: String
        private var taken: [FolderImage] = []

        init(of root: String) { self.root = root }

        var all: [FolderImage] { lock.withLock { taken } }

        func take() {
            guard let image = try? FolderImage(of: root) else { return }
            lock.withLock { if taken.last?.files != image.files { taken.append(image) } }
        }
    }

    @Test(.holds("A7")) func `rows that are no slot keep nothing of a former PIN or finger, and are taken out`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let (local, finger) = (try made.slot(.localSecret), try made.slot(.biometric))
        for item in [try #require(local.item), try #require(finger.item)] {
            let (id, record) = (Identifier.make().bytes, Array("junk\(item.text)".utf8))
            try made.sql { database in
                try database.run("INSERT INTO slot VALUES (?, ?)", .blob(id), .blob(record))
                try database.run(
                    "INSERT INTO slot_copy VALUES (?, ?, ?)",
                    .blob(id),
                    .blob(record),
                    .blob(SHA256.digest(record))
                )
            }
        }
        #expect(try await made.look().slotsAreWhole == false)
        try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), try await made.strong())
        #expect(try await made.simulated.describe(#require(local.item)) == nil)
        #expect(await !made.vault.snapshot.formerSecretRemains)
        let proof = try await made.vault.unlock(with: SecretBytes(text: Self.newPIN))
        try await made.vault.disableBiometrics(proof)
        #expect(try await made.simulated.describe(#require(finger.item)) == nil)
        #expect(try made.contents().slots.count == 1)
    }

    @Test(.holds("A40")) func `beside a reader the former secret stays while the log alone holds the new slot`()
        async throws
    {
        let made = try await TestVault.make()
        let own = try #require(try made.slot(.localSecret).item)
        let proof = Held(try await made.strong())
        let reader = try Database(opening: made.path + "/vault.sqlite", format: VaultStore.format)
        try reader.beginRead()
        _ = try reader.rows("SELECT id FROM slot")
        let change = await refusal {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof.take())
        }
        #expect(change == .formerSecretRemains)
        _ = try await made.look()
        #expect(try await made.simulated.describe(own) != nil)
        reader.rollback()
        reader.close()
        #expect(try await made.look().formerSecretRemains == false)
        #expect(try await made.simulated.describe(own) == nil)
        try await unlock(made)
    }

    @Test(.holds("A25")) func `who only reads an older copy with the recovery key deletes no key of the system's`()
        async throws
    {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let copy = try FolderImage(of: made.path)
        let later = try await made.reopened()
        try await later.enableSystem()
        let item = try #require(try made.slot(.system).item)
        await later.vault.close()
        let live = try FolderImage(of: made.path)
        try copy.restore(to: made.path)
        // As a copy from the midst of the change has it.
        try made.tamper { try $0.addLeftover(item) }
        let old = try await made.reopened()
        try await old.unlock(key)
        _ = try await old.look()
        await old.vault.close()
        #expect(try await made.simulated.describe(item) != nil)
        try live.restore(to: made.path)
        let again = try await made.reopened()
        #expect(await again.vault.snapshot.condition == .ready)
    }

    @Test(.holds("A40")) func `whatever becomes of the log of a vault that was just made, its keys stay`() async throws
    {
        let made = try await TestVault.make()
        let image = try FolderImage(of: made.path)
        await made.vault.close()
        try await made.damageLog(of: image, every: 997, meet: { _ in }) { again in
            try await again.strong()
            await again.vault.close()
        }
    }
}
