import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

extension Vault {
    var isOpen: Bool { snapshot.state == .unlocked(.full) }

    var hasSession: Bool { session != nil }
}

extension TestVault {
    var state: UnlockMachine.State { get async { await vault.snapshot.state } }
    var isOpen: Bool { get async { await vault.isOpen } }

    /// Changes the stored rows behind the vault's back, as an editor of the file would.
    func tamper<Result>(_ body: (VaultStore) throws -> Result) throws -> Result {
        let store = try VaultStore(openingIn: path, vfs: nil)
        defer { store.close() }
        return try body(store)
    }

    func contents() throws -> VaultStore.Contents { try tamper { try $0.contents() } }

    /// When the stored ledger says that the vault was last in use.
    func lastUse() throws -> ClockReading? { try Ledger(parsing: #require(contents().ledger).body).lastUse }

    func slots() throws -> [SlotRecord] { try contents().slots.map { try SlotRecord(parsing: $0.record) } }

    func slot(_ kind: SlotKind) throws -> SlotRecord { try #require(try slots().first { $0.kind == kind }) }

    func wallets() throws -> [WalletRecord] {
        try tamper { store in
            var records: [WalletRecord] = []
            try store.forEachWallet { records.append($0) }
            return records
        }
    }

    /// Puts another record into the place of a slot.
    func replace(_ slot: SlotRecord, with other: SlotRecord) throws {
        try tamper { store in
            try store.removeSlot(slot.id)
            try store.add(other)
        }
    }

    /// Puts another row into the place of a wallet.
    func replace(_ wallet: WalletRecord) throws {
        try tamper { store in
            try store.removeWallet(wallet.id)
            try store.add(wallet)
        }
    }

    /// Opens a slot as an attacker would who has its record, the typed secret, and perhaps the device.
    func opens(_ slot: SlotRecord, pin: String, share: borrowing SecretBytes) throws -> Bool {
        let stretched = try slot.stretch(SecretBytes(text: pin), limits: TestVault.configuration().argon2)
        return try slot.open(with: .local(LocalSecret(stretched: stretched, deviceShare: share.copy()))) != nil
    }

    /// What the device contributes to a slot.
    func share(of slot: SlotRecord) async throws -> SecretBytes {
        let item = try #require(slot.item)
        return try await device.store.evaluate(item, input: slot.shareInput)
    }

    /// What the device releases to a finger for a slot, in the open.
    func released(by slot: SlotRecord) async throws -> [UInt8] {
        try simulated.simulate(.finger(.match))
        return try await simulated.read(try #require(slot.item), prompt: Self.words).withBytes { $0.exposed }
    }

    /// Damages the log of `image`, one byte at each step, and each time puts back what became of the whole one.
    ///
    /// - Parameters:
    ///   - meet: is given the damaged vault, where it opens at all.
    ///   - check: is given the whole one after that.
    func damageLog(
        of image: FolderImage,
        every step: Int,
        meet: (TestVault) async throws -> Void,
        check: (TestVault) async throws -> Void
    ) async throws {
        let whole = try FolderImage(of: path)
        let log = image.files["vault.sqlite-wal"] ?? .init()
        for place in stride(from: 0, to: max(log.count, 1), by: step) {
            try image.restore(to: path)
            if place < log.count {
                var bytes = Array(log)
                bytes[place] ^= 4
                try folder.write(bytes, to: "vault/vault.sqlite-wal")
            }
            if let damaged = try? await reopened() {
                try await meet(damaged)
                await damaged.vault.close()
            }
            try whole.restore(to: path)
            try await check(reopened())
        }
    }

    /// Ends a lasting wait for the PIN: the longest there is passes.
    func waitADay() throws { try advance(.hours(24)) }
}

extension SlotRecord {
    /// The record that its bytes make after some were changed.
    func changed(_ edit: (inout [UInt8]) -> Void) throws -> SlotRecord {
        var bytes = try bytes
        edit(&bytes)
        return try SlotRecord(parsing: bytes)
    }

    /// A local slot with another cost in its header: 73 bytes of it and the length come before.
    func asking(memoryKiB: UInt32, passes: UInt32) throws -> SlotRecord {
        try changed { bytes in
            for index in 0..<4 {
                bytes[77 + index] = UInt8(truncatingIfNeeded: memoryKiB >> (24 - 8 * UInt32(index)))
                bytes[81 + index] = UInt8(truncatingIfNeeded: passes >> (24 - 8 * UInt32(index)))
            }
        }
    }
}
