import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Copies of a vault's folder that are in use while the vault gets a new PIN, and what a device says meanwhile.
@Suite struct CopyRaceTests {
    private static let newPIN = "840275"

    @Test(.holds("A7", "A38"))
    func `a new PIN that another copy came before changes nothing, and takes nothing away`()
        async throws
    {
        let (simulated, due) = (SimulatedDevice(), Due())
        let watched = WatchedDevice(simulated) { call in
            guard case .anchorMove(let item) = call, due.take(item) else { return }
            guard let stands = try? await simulated.position(for: item) else { return }
            let other = LedgerPosition(sequence: stands.sequence + 1, mark: .make())
            _ = try? await simulated.move(from: stands, to: other, for: item)
        }
        let made = try await TestVault.make(on: simulated, seenAs: watched.device)
        let slot = try made.slot(.localSecret)
        let item = try #require(slot.item)
        let proof = Held(try await made.strong())
        due.set(item)
        let code = await refusal {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof.take())
        }
        #expect(code == .busy)
        #expect(made.log.count(.localSecretChanged) == 0, "nothing was begun")
        #expect(try made.slot(.localSecret) == slot)
        #expect(try await made.look().isOlderCopy)
        try made.waitADay()
        try await made.strong()
        #expect(await made.state == .unlocked(.exportOnly))
        #expect(try await simulated.describe(item) != nil, "the copy that came first stands on it")
    }

    @Test(.holds("A7")) func `a copy that was open before the PIN was changed makes no ledger anew after it`()
        async throws
    {
        let made = try await TestVault.make()
        try FolderImage(of: made.path).restore(to: made.folder.file("copy"))
        let copy = try await Vault.open(
            in: made.folder.file("copy"),
            device: made.device,
            configuration: TestVault.configuration()
        )
        #expect(try await copy.refresh().condition == .ready)
        try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), try await made.strong())
        #expect(try await copy.refresh().condition == .keyMissing)
        #expect(await refusal { _ = try await copy.unlock(with: SecretBytes(text: TestVault.pin)) } == .keyMissing)
        await copy.close()
        let again = try await made.restarted()
        #expect(again.log.kinds.isEmpty)
        try await again.vault.unlock(with: SecretBytes(text: Self.newPIN))
        #expect(await again.isOpen)
    }

    @Test(.holds("A7")) func `a copy that was open while the vault was erased makes no ledger anew after it`()
        async throws
    {
        let made = try await TestVault.make()
        let item = try #require(try made.slot(.localSecret).item)
        try FolderImage(of: made.path).restore(to: made.folder.file("copy"))
        let copy = try await Vault.open(
            in: made.folder.file("copy"),
            device: made.device,
            configuration: TestVault.configuration()
        )
        #expect(try await copy.refresh().condition == .ready)
        try await made.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        #expect(try await copy.refresh().condition == .keyMissing)
        #expect(try await made.simulated.position(for: item) == nil)
    }

    @Test(.holds("A25")) func `one answer that an anchor is absent deletes no secret that a note names`() async throws {
        let (simulated, due, hidden) = (SimulatedDevice(), Due(), Shared<LedgerPosition?>(nil))
        let watched = WatchedDevice(
            simulated,
            follower: { call in
                guard case .anchorPosition(let item) = call, let position = hidden.change({ $0.take() }) else { return }
                _ = try? await simulated.move(from: nil, to: position, for: item)
            },
            watcher: { call in
                guard case .anchorPosition(let item) = call, due.take(item) else { return }
                hidden.value = try? await simulated.position(for: item)
                try? await simulated.remove(for: item)
            }
        )
        let made = try await TestVault.make(on: simulated, seenAs: watched.device)
        let vault = try made.slot(.localSecret).vault
        let item = ItemName(vault: vault, purpose: .deviceSecret, unique: .make())
        try await simulated.makeDeviceSecret(item)
        _ = try await simulated.move(from: nil, to: LedgerPosition(sequence: 3, mark: .make()), for: item)
        try made.tamper { try $0.addLeftover(item) }
        due.set(item)
        _ = try await made.look()
        #expect(!due.isSet, "it was asked")
        #expect(try await simulated.describe(item) != nil)
    }

    @Test(.holds("A25")) func `what was made for a change that never came goes at the next look`() async throws {
        let made = try await TestVault.make()
        let item = try await made.vault.makeDeviceSecret()
        #expect(try await made.simulated.position(for: item)?.isUsed == false)
        _ = try await made.restarted().look()
        #expect(try await made.simulated.describe(item) == nil)
        #expect(try made.contents().leftovers.isEmpty)
    }

    @Test(.holds("A25"))
    func `where a new PIN stopped before its anchor moved, a look moves it, and no copy deletes its secret then`()
        async throws
    {
        let made = try await TestVault.make()
        let former = try #require(try made.slot(.localSecret).item)
        let (path, moves, before) = (made.path, Counter(), Shared<FolderImage?>(nil))
        made.simulated.interceptor = { call in
            // With the former secret a copy's ledger fits, so that the copy deletes what it has notes of.
            if case .delete(former) = call { throw DeviceRefusal.unavailable }
            guard case .anchorMove(let item) = call, item != former else { return .proceed }
            // The first move makes the anchor, once the secret has its note; the second follows the commit.
            switch moves.next() {
            case 1: before.value = try FolderImage(of: path)
            case 2: throw DeviceRefusal.unavailable
            default: break
            }
            return .proceed
        }
        let proof = Held(try await made.strong())
        let code = await refusal {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof.take())
        }
        #expect(code == .formerSecretRemains && moves.count == 2)
        let item = try #require(try made.slot(.localSecret).item)
        #expect(try item != former && made.contents().leftovers.map(\.item) == [former])
        #expect(try await made.simulated.position(for: item)?.isUsed == false)

        let again = try await made.restarted()
        #expect(try await again.look().condition == .ready)
        #expect(try await made.simulated.position(for: item)?.isUsed == true)
        let copy = try await opened(#require(before.value), of: made)
        #expect(await copy.state.condition == .ready)
        #expect(await copy.state.contents.leftovers.map(\.item) == [item], "no slot of the copy names it")
        await copy.close()
        #expect(try await made.simulated.describe(item) != nil)
        try await again.vault.unlock(with: SecretBytes(text: Self.newPIN))
        #expect(await again.isOpen)
    }

    @Test(.holds("A25")) func `while the former PIN's secret can't be deleted, no copy deletes the new one's`()
        async throws
    {
        let made = try await TestVault.make()
        let former = try #require(try made.slot(.localSecret).item)
        let (path, before) = (made.path, Shared<FolderImage?>(nil))
        made.simulated.interceptor = { call in
            if case .delete(former) = call { throw DeviceRefusal.unavailable }
            // The last use of the new secret before the commit seals the slot.
            if case .evaluate(let item) = call, item != former { before.value = try FolderImage(of: path) }
            return .proceed
        }
        let proof = Held(try await made.strong())
        let code = await refusal {
            try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof.take())
        }
        #expect(code == .formerSecretRemains)
        let item = try #require(try made.slot(.localSecret).item)
        await made.vault.close()
        let copy = try await opened(#require(before.value), of: made)
        #expect(await copy.state.condition == .ready)
        #expect(await copy.state.headStanding == .named, "its ledger fits the former anchor")
        #expect(await copy.state.ledgerSlot?.item == former)
        #expect(await copy.state.contents.leftovers.map(\.item) == [item], "no slot of the copy names it")
        await copy.close()
        #expect(try await made.simulated.describe(item) != nil)
        let again = try await made.restarted()
        try await again.vault.unlock(with: SecretBytes(text: Self.newPIN))
        #expect(await again.isOpen)
    }

    /// A copy of a vault's folder, which was looked at.
    private func opened(_ image: FolderImage, of made: TestVault) async throws -> Vault {
        try image.restore(to: made.folder.file("copy"))
        let copy = try await Vault.open(
            in: made.folder.file("copy"),
            device: made.device,
            configuration: TestVault.configuration()
        )
        _ = try await copy.refresh()
        return copy
    }

    enum LoggedChange: CaseIterable {
        case newPIN, recover
    }

    @Test(.holds("A40"), arguments: LoggedChange.allCases)
    func `whatever becomes of the log after a new PIN, what the vault stands on stays`(
        change: LoggedChange
    ) async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        let proof = Held(try await made.strong())
        switch change {
        case .newPIN: try await made.vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), proof.take())
        case .recover:
            await made.vault.lock()
            try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: Self.newPIN))
        }
        let image = try FolderImage(of: made.path)
        await made.vault.close()
        try await made.damageLog(of: image, every: 1_997) { damaged in
            _ = try? await damaged.look()
        } check: { again in
            // Where the damaged one was taken for an older copy, so is this.
            try made.waitADay()
            try await again.vault.unlock(with: SecretBytes(text: Self.newPIN))
            await again.vault.close()
        }
    }
}

/// The item whose next call is to be met, until it came.
final class Due: @unchecked Sendable {
    // Safe to share: `lock` guards the one field.
    private let lock = NSLock()
    private var item: ItemName?

    var isSet: Bool { lock.withLock { item != nil } }

    func set(_ item: ItemName?) { lock.withLock { self.item = item } }

    func isFor(_ called: ItemName) -> Bool { lock.withLock { called == item } }

    func take(_ called: ItemName) -> Bool {
        lock.withLock {
            guard called == item else { return false }
            item = nil
            return true
        }
    }
}

extension Vault {
    /// Makes a device secret for a change that never comes.
    fileprivate func makeDeviceSecret() async throws(VaultError) -> ItemName {
        try await turn { (turn) async throws(VaultError) -> ItemName in
            try await makeDeviceSecret(of: state.head.vault, in: turn).item
        }
    }
}
