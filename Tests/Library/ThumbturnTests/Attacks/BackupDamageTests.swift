import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// A backup, or a vault's file, of which bytes were changed: what is whole opens with the recovery key.
@Suite struct BackupDamageTests {
    @Test func `a backup opens without a vault and without a device, and says what is in it`() async throws {
        let scene = try await BackupScene.make()
        let backup = try scene.open()
        #expect(backup.inventory == WalletInventory(wallets: scene.wallets, isAuthentic: true))
        #expect(try scene.texts(of: backup) == scene.texts)
        #expect(throws: VaultError(.walletMissing)) { try backup.exportWallet(.make()) { _, _ in } }
    }

    @Test func `a whole file is listed by its head and labels, and a changed byte of any row has every secret opened`()
        async throws
    {
        let scene = try await BackupScene.make()
        let path = scene.made.folder.file("other")
        let bytes = try scene.made.folder.read("backup")
        let slot = try scene.made.slot(.recovery)
        func listed(_ bytes: [UInt8]) throws -> [WalletSummary]? {
            try scene.made.folder.write(bytes, to: "other")
            let scan = try RowScan(path)
            let secret = SlotSecret.recovery(try RecoveryKey.parse(SecretBytes(text: scene.key)))
            guard let opened = try slot.open(with: secret) else { return nil }
            var found = WalletScan(scan, of: slot.vault)
            return found.summaries(key: opened)?.sorted { $0.name.text < $1.name.text }
        }
        #expect(try listed(bytes) == scene.wallets)
        let prefix = WalletRecord.prefix(in: slot.vault)
        let starts = bytes.indices.filter { bytes[$0...].starts(with: prefix) }
        #expect(starts.count == scene.wallets.count)
        for start in starts {
            // Of the label, of the secret's header, and of the secret itself.
            for place in [start - 20, start + 30, start + 80] {
                var changed = bytes
                changed[place] ^= 1
                #expect(try listed(changed) == nil, "at \(place)")
            }
        }
        // What may be a wallet besides those that the head names.
        #expect(try listed(bytes + [0] + prefix + [UInt8](repeating: 7, count: 200)) == nil)
    }

    @Test func `without its recovery key nothing opens, and what is no backup says so`() async throws {
        let scene = try await BackupScene.make()
        let other = try await TestVault.make().makeRecoveryKey()
        let (key, folder) = (scene.key, scene.made.folder)
        #expect(await Self.verdict(on: scene.path, key: other) == .strongFactorRefused)
        #expect(await Self.verdict(on: scene.path, key: "1") == .recoveryKeyMalformed)
        #expect(await Self.verdict(on: folder.file("none"), key: key) == .vaultMissing)
        #expect(await Self.verdict(on: folder.path, key: key) == .vaultUnsafe)
        for bytes in [[], [1], [UInt8](repeating: 0x2C, count: 20_000)] {
            try folder.write(bytes, to: "other")
            #expect(await Self.verdict(on: folder.file("other"), key: key) == .vaultDamaged)
        }
    }

    @Test(.holds("A41")) func `a file of any size, and a chain of pages that leads to itself, end the scan`()
        async throws
    {
        let scene = try await BackupScene.make()
        let huge = scene.made.folder.file("huge")
        try scene.made.folder.write([], to: "huge")
        for size in [Int.max, 1 << 33] {
            guard unsafe truncate(huge, off_t(size)) == 0 else { continue }
            #expect(await Self.verdict(on: huge, key: scene.key) == .backupTooLarge)
        }
        // A row of 60 and 30,000 bytes, of which 1,439 lie in the page; the rest leads to the last page, which holds its own
        // number and nothing else.
        let bytes = try scene.made.folder.read("backup")
        let last = bytes.count / 4_096 + 2
        var page = [UInt8](repeating: 0, count: 4_096)
        let row = [7, 44, 0x81, 0x04, 0x83, 0xD4, 0x6C] + [UInt8](repeating: 9, count: 76)
        page.replaceSubrange(100..<100 + row.count, with: row)
        let sealed = WalletRecord.prefix(in: try scene.made.slot(.recovery).vault)
        page.replaceSubrange(183..<183 + sealed.count, with: sealed)
        page[1_542] = UInt8(last)
        try scene.made.folder.write(bytes + page + [0, 0, 0, UInt8(last)], to: "loop")
        let opened = try OpenedBackup(at: scene.made.folder.file("loop"), recoveryKey: SecretBytes(text: scene.key))
        #expect(opened.inventory.wallets == scene.wallets)
    }

    private static func verdict(on path: String, key: String) async -> ErrorCode? {
        await refusal { try OpenedBackup(at: path, recoveryKey: SecretBytes(text: key)) }
    }

    @Test(arguments: 0..<2)
    func `whatever byte of a backup is changed, what is whole opens`(part: Int) async throws {
        let scene = try await BackupScene.make()
        let bytes = try scene.made.folder.read("backup")
        // Every other byte of a row's own header, and some of everything.
        var places = Set(stride(from: part * 400, to: bytes.count, by: 801))
        for (secret, label) in scene.secrets {
            let start = try #require(bytes.position(of: secret)) - label
            places.formUnion(stride(from: start - 28 + part, to: start - 16, by: 2))
            places.formUnion(stride(from: start - 16 + part, to: start + label + 40, by: 29))
        }
        for place in places.sorted() {
            var changed = bytes
            changed[place] ^= 1 << UInt8((place + part) % 8)
            try scene.expectOpen(changed, changedAt: place..<place + 1, of: bytes)
        }
    }

    @Test(.holds("A41")) func `a slot's row that claims another length hides the whole one from nobody`() async throws {
        let scene = try await BackupScene.make()
        let bytes = try scene.made.folder.read("backup")
        let record = try scene.made.slot(.recovery).bytes
        let start = try #require(bytes.position(of: record))
        // The box is the last of a record, and its length stands before it.
        let length = start + record.count - 60 - 4
        try #require(bytes[length..<length + 4].elementsEqual([0, 0, 0, 60]))
        for bit in 0..<8 {
            var changed = bytes
            changed[length + 3] ^= 1 << UInt8(bit)
            try scene.expectOpen(changed, changedAt: length + 3..<length + 4, of: bytes)
        }
    }

    @Test func `a backup without the start of any page gives what is whole`() async throws {
        let scene = try await BackupScene.make()
        let bytes = try scene.made.folder.read("backup")
        for page in 0..<bytes.count / 4_096 where page % 2 == 0 || page < 4 {
            var changed = bytes
            for index in 0..<40 { changed[page * 4_096 + index] = 0xA5 }
            try scene.expectOpen(changed, changedAt: page * 4_096..<page * 4_096 + 40, of: bytes)
        }
    }

    @Test func `a backup that is cut short gives every wallet that lies before the cut, and no part of another`()
        async throws
    {
        let scene = try await BackupScene.make()
        let bytes = try scene.made.folder.read("backup")
        let slot = try scene.made.slot(.recovery).bytes
        let slotEnd = try #require(bytes.position(of: slot)) + slot.count
        let ends = try scene.wallets.map { try #require(scene.runs(of: $0, in: bytes).map(\.upperBound).max()) }
        var counts: Set<Int> = []
        for length in Set(stride(from: 0, through: bytes.count, by: 3_300)).union(ends).union(ends.map { $0 - 1 }) {
            try scene.made.folder.write(Array(bytes.prefix(length)), to: "changed")
            guard length >= slotEnd else {
                let code = await refusal { try scene.open("changed") }
                #expect(code == .vaultDamaged, "cut at \(length)")
                continue
            }
            let whole = zip(scene.texts, ends).filter { $0.1 <= length }.map(\.0)
            #expect(try Set(scene.texts(of: scene.open("changed"))) == Set(whole), "cut at \(length)")
            counts.insert(whole.count)
        }
        #expect(counts == [0, 1, 2, 3], "some lie before a cut, and some behind")
    }

    @Test func `random changes trap nothing, and what opens is what was sealed`() async throws {
        let scene = try await BackupScene.make()
        let bytes = try scene.made.folder.read("backup")
        var numbers = SeededGenerator(seed: 0xBAC)
        var opened = 0
        for _ in 0..<40 {
            try scene.made.folder.write(numbers.mutate(bytes), to: "changed")
            guard let backup = try? scene.open("changed") else { continue }
            let found = try Set(scene.texts(of: backup))
            #expect(found.isSubset(of: scene.texts))
            opened += found.count
        }
        #expect(opened >= 60)
    }

    @Test func `a vault's own file that SQLite refuses gives its wallets to the recovery key`() async throws {
        let scene = try await BackupScene.make()
        await scene.made.vault.close()
        var bytes = try scene.made.folder.read("vault/vault.sqlite")
        for index in 0..<4_096 { bytes[index] = 0 }
        try scene.made.folder.write(bytes, to: "vault/vault.sqlite")
        #expect(await refusal { try await scene.made.reopened() } == .vaultDamaged)
        let backup = try scene.open("vault/vault.sqlite")
        #expect(try scene.texts(of: backup) == scene.texts)
        #expect(backup.inventory.wallets == scene.wallets)
    }
}

/// A backup of some wallets, a long secret among them, with its key.
private struct BackupScene {
    let made: TestVault
    let key: String
    let wallets: [WalletSummary]
    let texts: [String]
    /// What each sealed secret begins with, in the file, and the size of the label before it.
    let secrets: [([UInt8], label: Int)]
    let sealed: [Identifier: [UInt8]]

    var path: String { made.backup }

    static func make() async throws -> BackupScene {
        let made = try await TestVault.make()
        var texts: [String] = []
        let long = String(repeating: "long ", count: 1_400)
        for (name, text) in [("A", "secret of A"), ("B", long), ("C", "secret of C")] {
            try await made.add(name, text)
            texts.append(text)
        }
        let key = try await made.makeRecoveryKey()
        try await made.vault.backUp(to: made.backup, try await made.strong())
        let records = try made.wallets()
        return BackupScene(
            made: made,
            key: key,
            wallets: try await made.vault.wallets(),
            texts: texts,
            secrets: records.map { (Array($0.secret.prefix(WalletRecord.headerByteCount)), $0.label.count) },
            sealed: Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.secret) })
        )
    }

    func open(_ name: String = "backup") throws -> OpenedBackup {
        try OpenedBackup(at: made.folder.file(name), recoveryKey: SecretBytes(text: key))
    }

    func texts(of backup: borrowing OpenedBackup) throws -> [String] {
        var texts: [String] = []
        for wallet in backup.inventory.wallets {
            texts.append(try backup.exportWallet(wallet.id) { _, bytes in bytes.exposedText })
        }
        return texts
    }

    /// Where a wallet's secret lies in a file: in its row's page, and where that is too small, in others.
    func runs(of wallet: WalletSummary, in whole: [UInt8]) throws -> [Range<Int>] {
        let secret = try #require(sealed[wallet.id])
        var runs: [Range<Int>] = []
        var count = 0
        while count < secret.count {
            // The header is the shortest prefix that no other secret has.
            let few = count == 0 ? WalletRecord.headerByteCount : 16
            let start = try #require(whole.position(of: Array(secret[count...].prefix(few))))
            let length = zip(whole[start...], secret[count...]).prefix { $0 == $1 }.count
            runs.append(start..<start + length)
            count += length
        }
        return runs
    }

    /// Where one changed byte of a file costs a wallet.
    private func ground(of wallet: WalletSummary, in whole: [UInt8]) throws -> [Range<Int>] {
        var ground = try runs(of: wallet, in: whole)
        let first = ground[0]
        // The header of the secret can be told.
        ground[0] = first.lowerBound + WalletRecord.headerByteCount..<first.upperBound
        guard ground.count > 1 else { return ground }
        // The row's header says how long the secret is; the number of the next page stands behind the first run, and before each
        // of the others.
        let label = try #require(secrets.first { whole[first].starts(with: $0.0) }).label
        ground[0] = first.lowerBound - label - 16 - 8..<first.upperBound + 4
        for index in ground.indices.dropFirst() {
            ground[index] = ground[index].lowerBound - 4..<ground[index].upperBound
        }
        return ground
    }

    /// Writes changed bytes, and expects every wallet that has none of them on its ground.
    func expectOpen(_ bytes: [UInt8], changedAt changed: Range<Int>, of whole: [UInt8]) throws {
        try made.folder.write(bytes, to: "changed")
        let backup = try open("changed")
        let found = Set(try texts(of: backup))
        for (wallet, text) in zip(wallets, texts) {
            let isHit = try ground(of: wallet, in: whole).contains { $0.overlaps(changed) }
            #expect(found.contains(text) || isHit, "\(changed) costs \(text.prefix(12))")
        }
        #expect(found.isSubset(of: texts))
    }
}

extension [UInt8] {
    fileprivate func position(of run: [UInt8]) -> Int? { Data(self).range(of: Data(run))?.lowerBound }
}
