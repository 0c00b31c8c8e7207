import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// Many wallets on their way into the store: not all of them in memory, and nowhere by a name.
@Suite struct WalletDraftTests {
    @Test(arguments: [0, 3, 5_000]) func `rows come back as they went in, as often as they are asked for`(count: Int)
        throws
    {
        let folder = try TemporaryFolder()
        let draft = WalletDraft(in: folder.path)
        let records = (0..<count).map { number in
            let label = [UInt8](repeating: 1, count: 60)
            return WalletRecord(id: .make(), tag: .make(), label: label, secret: Array("secret \(number)".utf8))
        }
        for record in records { try draft.append(record) }
        #expect(draft.entries.isEmpty == (count == 0))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        for _ in 0..<2 {
            var again: [WalletRecord] = []
            try draft.forEach { again.append($0) }
            #expect(again == records)
        }
    }

    @Test func `what a crash left of another one is in nobody's way`() throws {
        let folder = try TemporaryFolder()
        try folder.write([1, 2, 3], to: "wallets.partial")
        let draft = WalletDraft(in: folder.path)
        let label = [UInt8](repeating: 1, count: 60)
        for _ in 0..<5_000 { try draft.append(WalletRecord(id: .make(), tag: .make(), label: label, secret: [2])) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test(.holds("A21")) func `thousands of wallets come in together, and are sealed anew together`() async throws {
        let made = try await TestVault.make()
        var next = 0
        try await made.vault.addWallets { () throws(VaultError) in
            guard next < 3_000 else { return nil }
            defer { next += 1 }
            return WalletImport(name: try WalletName("Wallet \(next)"), secret: .opaque(SecretBytes(text: "\(next)")))
        }
        let (before, rows) = (try await made.vault.wallets(), try made.wallets())
        #expect(before.count == 3_000 && Set(before.map(\.name)).count == 3_000)
        let proof = try await made.strong()
        try await made.vault.rekey(with: SecretBytes(text: TestVault.pin), recoveryKey: nil, proof)
        try await made.strong()
        #expect(try await made.vault.wallets() == before)
        #expect(try await made.vault.checkWallets().isAuthentic)
        for wallet in [before[0], before[1_500], before[2_999]] {
            #expect(try await "Wallet " + made.secret(of: wallet.id) == wallet.name.text)
        }
        #expect(Set(try made.wallets().map(\.secret)).isDisjoint(with: rows.map(\.secret)))
        #expect(try FileManager.default.contentsOfDirectory(atPath: made.path).allSatisfy { !$0.hasSuffix(".partial") })
    }

    @Test(.holds("A21")) func `a wallet that is exchanged while others are sealed anew leaves the former key`()
        async throws
    {
        let made = try await TestVault.make()
        for number in 1...2 { try await made.add("Wallet \(number)", "secret \(number)") }
        let rows = try made.wallets()
        let changed = WalletRecord(id: rows[1].id, tag: rows[1].tag, label: rows[0].label, secret: rows[1].secret)
        let code = try await made.vault.opensEach { try made.replace(changed) }
        #expect(code == .vaultTampered)
        try made.replace(rows[1])
        let other = try await made.vault.opensEach { try made.tamper { try $0.removeWallet(changed.id) } }
        #expect(other == .vaultTampered)
    }

    @Test(.holds("A6")) func `labels that another core opens are held to the same key`() async throws {
        let made = try await TestVault.make()
        var next = 0
        try await made.vault.addWallets { () throws(VaultError) in
            guard next < 2_100 else { return nil }
            defer { next += 1 }
            return WalletImport(name: try WalletName("Wallet \(next)"), secret: .opaque(SecretBytes(text: "\(next)")))
        }
        let last = try made.tamper { store in
            var last = try #require(try store.wallets(from: 2_091).first).record
            last.label[20] ^= 1
            try store.setLabel(last.label, of: last.id)
            return last.id
        }
        #expect(await made.vault.opensLabels() == .vaultTampered)
        let inventory = try await made.vault.inventory()
        #expect(inventory.wallets.count { !$0.isLabelled } == 1 && inventory.wallets.contains { $0.id == last })
    }
}

extension Vault {
    /// Opens the wallets one by one, once somebody did something behind the verification of all.
    fileprivate func opensEach(_ meanwhile: @Sendable () throws -> Void) async throws -> ErrorCode? {
        let session = try #require(session)
        let index = try verifiedIndex(for: session)
        try meanwhile()
        do throws(VaultError) {
            try await forEachWallet(of: index, in: session) { _ in }
            return nil
        } catch {
            return error.code
        }
    }

    /// Opens every label as it lies in the file, whatever the head says of it.
    fileprivate func opensLabels() -> ErrorCode? {
        do throws(VaultError) {
            guard let session, let rows = try walletRows() else { return nil }
            _ = try session.withLabelKey { (key) throws(VaultError) in
                try rows.summaries(key: key, vault: session.vault)
            }
            return nil
        } catch {
            return error.code
        }
    }
}
