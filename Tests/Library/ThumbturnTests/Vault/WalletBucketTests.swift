import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A wallet is found and changed by the rows of its bucket alone; what is believed of them is what the head says.
@Suite struct WalletBucketTests {
    private static func withWallets(_ count: Int) async throws -> TestVault {
        let made = try await TestVault.make()
        var next = 0
        try await made.vault.addWallets { () throws(VaultError) in
            guard next < count else { return nil }
            defer { next += 1 }
            return WalletImport(name: try WalletName("Wallet \(next)"), secret: .opaque(SecretBytes(text: "\(next)")))
        }
        return made
    }

    /// The tag of a wallet's name.
    private static func tag(of name: String, in made: TestVault) async throws -> Identifier {
        try await made.vault.tag(of: WalletName(name))
    }

    @Test func `to find, to lend, to add, to rename and to delete one wallet never reads all rows`() async throws {
        let made = try await Self.withWallets(400)
        let again = try await made.restarted()
        let watch = StatementWatch(made.path + "/vault.sqlite")
        defer { watch.end() }
        let proof = Held(try await again.strong())
        let found = try #require(try await again.vault.wallet(named: WalletName("Wallet 7")))
        #expect(try await again.vault.wallet(named: WalletName("Wallet 400")) == nil)
        #expect(try await again.vault.inventory(of: [WalletName("Wallet 7")]).wallets == [found])
        #expect(try await again.secret(of: found.id) == "7")
        try await again.vault.exportWallet(found.id, proof.take()) { _, text in #expect(text.exposedText == "7") }
        let added = try await again.add("One more", "secret")
        try await again.vault.renameWallet(added.id, to: WalletName("Another"))
        try await again.vault.deleteWallet(added.id, try await again.strong())
        #expect(!watch.take().contains { $0.contains("FROM wallet NOT INDEXED WHERE rowid >= ?") })
        #expect(try await again.vault.wallets().count == 400)
        #expect(await again.vault.snapshot.isAuthentic == true)
    }

    @Test(.holds("A7")) func `a row that was changed, removed or put back is noticed by whoever asks for its name`()
        async throws
    {
        for step in 0..<4 {
            let made = try await Self.withWallets(20)
            let former = try #require(try made.wallets().first)
            let name = try #require(try await made.vault.wallets().first { $0.id == former.id }).name
            try await made.vault.renameWallet(former.id, to: WalletName("Renamed"))
            let row = try #require(try made.wallets().first { $0.id == former.id })
            var changed = row
            changed.label[20] ^= 1
            let other = WalletRecord(id: .make(), tag: row.tag, label: row.label, secret: row.secret)
            switch step {
            case 0: try made.replace(changed)
            case 1: try made.tamper { try $0.removeWallet(row.id) }
            case 2: try made.replace(former)
            default: try made.tamper { try $0.add(other) }
            }
            let again = try await made.restarted()
            try await again.strong()
            let asked = try WalletName("Renamed")
            #expect(await refusal { try await again.vault.wallet(named: asked) } == .vaultTampered, "step \(step)")
            #expect(await again.state == .unlocked(.exportOnly))
            let third = try await made.restarted()
            try await third.strong()
            #expect(await refusal { try await third.secret(of: row.id) } == .vaultTampered, "step \(step)")
            // No row that was put back gives a name that the head does not.
            let fourth = try await made.restarted()
            try await fourth.strong()
            if step == 2 { #expect((try? await fourth.vault.wallet(named: name)) == nil) }
        }
    }

    @Test(.holds("A6", "A21"))
    func `a row put back in a session that knows all wallets is refused by an export`() async throws {
        let made = try await Self.withWallets(20)
        let former = try #require(try made.wallets().first)
        try await made.vault.renameWallet(former.id, to: WalletName("Renamed"))
        let proof = try await made.strong()
        let all = try await made.vault.wallets().map(\.id)
        try made.replace(former)
        let lent = Shared<Set<Identifier>>([])
        let refusals = try await made.vault.exportWallets(all, proof) { wallet, _ in
            lent.change { $0.formUnion([wallet.id]) }
        }
        #expect(refusals.mapValues(\.code) == [former.id: .vaultTampered])
        #expect(lent.value == Set(all).subtracting([former.id]))
    }

    @Test(.holds("A6")) func `a row put back in an open session is not renamed`() async throws {
        let made = try await Self.withWallets(20)
        let former = try #require(try made.wallets().first)
        try await made.vault.renameWallet(former.id, to: WalletName("Renamed"))
        _ = try await made.vault.wallets()
        try made.replace(former)
        let code = await refusal { try await made.vault.renameWallet(former.id, to: WalletName("Once more")) }
        #expect(code == .vaultTampered)
        #expect(await made.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A7")) func `rows and digests that agree are not believed over the head`() async throws {
        let made = try await Self.withWallets(20)
        let former = try #require(try made.wallets().first)
        let digests = try made.sql { try $0.rows("SELECT digests FROM wallet_index")[0].blob(0) }
        let name = try #require(try await made.vault.wallets().first { $0.id == former.id }).name
        try await made.vault.renameWallet(former.id, to: WalletName("Renamed"))
        try made.replace(former)
        try made.sql { try $0.run("UPDATE wallet_index SET digests = ?", .blob(digests)) }
        let again = try await made.restarted()
        try await again.strong()
        #expect(await refusal { try await again.vault.wallet(named: name) } == .vaultTampered)
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("V-05")) func `digests that are damaged or lost cost nothing, and the next change writes them anew`()
        async throws
    {
        for isLost in [true, false] {
            let made = try await Self.withWallets(20)
            let digests = try made.sql { database in
                let digests = try database.rows("SELECT digests FROM wallet_index")[0].blob(0)
                if isLost {
                    try database.run("DELETE FROM wallet_index")
                } else {
                    try database.run("UPDATE wallet_index SET digests = ?", .blob(digests.reversed()))
                }
                return digests
            }
            let again = try await made.restarted()
            try await again.strong()
            let found = try #require(try await again.vault.wallet(named: WalletName("Wallet 3")))
            try await again.vault.renameWallet(found.id, to: WalletName("Other"))
            try await again.vault.renameWallet(found.id, to: WalletName("Wallet 3"))
            #expect(await again.isOpen)
            let now = try made.sql { try $0.rows("SELECT digests FROM wallet_index")[0].blob(0) }
            // The label has another nonce, in one bucket.
            #expect(zip(now, digests).count { $0 != $1 } <= 32)
        }
    }

    @Test func `names that are canonically equivalent are one name, and others of the same tag are not`() async throws {
        let made = try await TestVault.make()
        let composed = try WalletName("Épargne 1")
        let decomposed = try WalletName("E\u{301}pargne 1")
        try await made.add(composed.text)
        #expect(await refusal { try await made.add(decomposed.text) } == .nameTaken)
        #expect(try await made.vault.wallet(named: decomposed)?.name.text == composed.text)
        let other = "Évian 1"
        #expect(try await Self.tag(of: other, in: made) == Self.tag(of: composed.text, in: made))
        let second = try await made.add(other)
        #expect(try await made.vault.wallet(named: WalletName(other))?.id == second.id)
        #expect(await refusal { try await made.vault.renameWallet(second.id, to: decomposed) } == .nameTaken)
        try await made.vault.renameWallet(second.id, to: WalletName("Épargne 2"))
        #expect(try await made.vault.wallets().map(\.name.text) == [composed.text, "Épargne 2"])
    }

    @Test func `a tag says nothing of another vault's name, nor under another key`() async throws {
        let (one, other) = (try await TestVault.make(), try await TestVault.make())
        let tag = try await Self.tag(of: "Savings", in: one)
        #expect(try await Self.tag(of: "Savings", in: other) != tag)
        let proof = try await one.strong()
        try await one.vault.rekey(with: SecretBytes(text: TestVault.pin), recoveryKey: nil, proof)
        try await one.strong()
        #expect(try await Self.tag(of: "Savings", in: one) != tag)
    }

    @Test(.holds("V-05")) func `what finds wallets by id or by tag leads elsewhere, and no wallet is given up`()
        async throws
    {
        let made = try await Self.withWallets(30)
        await made.vault.close()
        let file = try made.folder.read("vault/vault.sqlite")
        for table in ["sqlite_autoindex_wallet_1", "wallet_by_tag"] {
            let page = try made.rootPage(of: table) - 1
            // The last cell of the page is no cell any more.
            for (place, value) in [(4, 1), (2, 0xFF)] {
                var changed = file
                changed[page * 4_096 + place] ^= UInt8(value)
                try made.folder.write(changed, to: "vault/vault.sqlite")
                let vault = try await Vault.open(
                    in: made.path,
                    device: made.simulated.clone().device,
                    configuration: TestVault.configuration()
                )
                let proof = try await vault.unlock(with: SecretBytes(text: TestVault.pin))
                let inventory = try await vault.inventory()
                #expect(inventory.wallets.count == 30, "\(table), \(place)")
                let lent = Shared<Set<String>>([])
                let refusals = try await vault.exportWallets(inventory.wallets.map(\.id), proof) { _, bytes in
                    lent.change { $0.formUnion([bytes.exposedText]) }
                }
                #expect(refusals.isEmpty && lent.value == Set((0..<30).map(String.init)), "\(table), \(place)")
                await vault.close()
                guard table != "wallet_by_tag" else { continue }
                // Those that its index leads to still open; the others cost the session, and then open too.
                let other = try await Vault.open(
                    in: made.path,
                    device: made.simulated.clone().device,
                    configuration: TestVault.configuration()
                )
                try await other.unlock(with: SecretBytes(text: TestVault.pin))
                for wallet in inventory.wallets {
                    let read = { () async throws -> String in
                        try await other.withSecret(of: wallet.id) { _, bytes in bytes.exposedText }
                    }
                    let code = await refusal { _ = try await read() }
                    #expect(code == nil || code == .vaultTampered, "\(table), \(place)")
                    #expect(try await "Wallet " + read() == wallet.name.text, "\(table), \(place)")
                }
                await other.close()
            }
        }
    }

    @Test(.holds("V-05")) func `a page that a damaged list calls free is another wallet's, and is not written over`()
        async throws
    {
        let made = try await Self.withWallets(200)
        await made.vault.close()
        let file = try made.folder.read("vault/vault.sqlite")
        let count = file.count / 4_096
        let leaves = (1..<count).filter { file[$0 * 4_096] == 13 && file[$0 * 4_096 + 4] >= 10 }
        #expect(leaves.count > 5)
        for leaf in leaves.prefix(3) {
            var changed = file + [UInt8](repeating: 0, count: 4_096)
            // A trunk that has one leaf; one more page, and two free ones.
            changed.replaceSubrange(
                count * 4_096..<count * 4_096 + 12,
                with: [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, UInt8(leaf + 1)]
            )
            changed.replaceSubrange(28..<32, with: [0, 0, 0, UInt8(count + 1)])
            changed.replaceSubrange(32..<40, with: [0, 0, 0, UInt8(count + 1), 0, 0, 0, 2])
            try made.folder.write(changed, to: "vault/vault.sqlite")
            let vault = try await Vault.open(
                in: made.path,
                device: made.simulated.clone().device,
                configuration: TestVault.configuration()
            )
            try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            let text = String(repeating: "long enough for pages of its own ", count: 200)
            let code = await refusal {
                _ = try await vault.addWallet(named: WalletName("One more"), .opaque(SecretBytes(text: text)))
            }
            #expect(code == .vaultTampered)
            let inventory = try await vault.inventory()
            #expect(inventory.wallets.count { $0.name.text.hasPrefix("Wallet") } == 200, "page \(leaf + 1)")
            await vault.close()
        }
    }

    @Test(.holds("V-05")) func `a backup has every wallet, whatever leads to them by their ids`() async throws {
        let made = try await Self.withWallets(30)
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        var file = try made.folder.read("vault/vault.sqlite")
        file[(try made.rootPage(of: "sqlite_autoindex_wallet_1") - 1) * 4_096 + 4] ^= 4
        try made.folder.write(file, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        try await again.vault.backUp(to: made.folder.file("backup"), try await again.strong())
        let backup = try OpenedBackup(at: made.folder.file("backup"), recoveryKey: SecretBytes(text: key))
        #expect(backup.inventory.wallets.count == 30 && backup.inventory.isAuthentic)
    }

    @Test(.holds("V-05")) func `a page of digests that is garbage costs neither wallets nor changes`() async throws {
        let made = try await Self.withWallets(30)
        await made.vault.close()
        var file = try made.folder.read("vault/vault.sqlite")
        let page = (try made.rootPage(of: "wallet_index") - 1) * 4_096
        for index in 0..<16 { file[page + index] ^= 0xA5 }
        try made.folder.write(file, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        try await again.strong()
        #expect(try await again.vault.wallets().count == 30)
        let found = try #require(try await again.vault.wallet(named: WalletName("Wallet 3")))
        try await again.vault.renameWallet(found.id, to: WalletName("Other"))
        #expect(try await again.vault.wallet(named: WalletName("Other"))?.id == found.id)
        #expect(try await again.vault.wallets().count == 30)
    }

    @Test(.holds("A7", "A21")) func `a new key gives no two wallets one name`() async throws {
        let made = try await TestVault.make()
        let old = try await made.add("Savings", "old")
        let row = try #require(try made.wallets().first)
        try await made.vault.deleteWallet(old.id, try await made.strong())
        let new = try await made.add("Savings", "new")
        try made.tamper { try $0.add(row) }
        let again = try await made.reopened()
        try await again.strong()
        let seen = try await again.vault.inventory()
        #expect(seen.wallets.count == 2 && !seen.isAuthentic)
        let proof = try await again.strong()
        try await again.vault.rekey(
            with: SecretBytes(text: TestVault.pin),
            recoveryKey: nil,
            keeping: seen,
            proof
        )
        try await again.strong()
        #expect(try await again.vault.wallet(named: WalletName("Savings")) == nil)
        for (wallet, secret) in [(old, "old"), (new, "new")] {
            let name = try WalletName("Savings " + wallet.id.text.prefix(8))
            let found = try #require(try await again.vault.wallet(named: name))
            #expect(try await again.secret(of: found.id) == secret)
        }
    }

    @Test(.holds("A7")) func `a row before all others is no wallet that goes unseen`() async throws {
        let made = try await Self.withWallets(5)
        try made.sql {
            try $0.run(
                "INSERT INTO wallet (rowid, id, tag, label, secret) SELECT ?1, ?2, tag, label, secret FROM wallet LIMIT 1",
                .integer(.min),
                .blob([UInt8](repeating: 7, count: 16))
            )
        }
        let again = try await made.restarted()
        try await again.strong()
        #expect(await refusal { try await again.vault.wallets() } == .vaultTampered)
    }

    /// SQLite believes a page that says it has more room than it has; the last page is fuller with each count.
    @Test(.holds("V-05"), arguments: [(200, true), (200, false), (203, false), (206, false), (209, false)])
    func `a row that SQLite would write over another one's is not written`(count: Int, renames: Bool) async throws {
        let made = try await Self.withWallets(count)
        // Rows that lie side by side need no neighbouring numbers.
        try made.sql { try $0.run("UPDATE wallet SET rowid = -rowid * 500") }
        await made.vault.close()
        var file = try made.folder.read("vault/vault.sqlite")
        // Each leaf of the table: type 13, and where its cells begin.
        var leaves = 0
        for page in 1..<file.count / 4_096 where file[page * 4_096] == 13 {
            let start = Int(file[page * 4_096 + 5]) << 8 | Int(file[page * 4_096 + 6])
            guard start < 2_500 else { continue }
            leaves += 1
            (file[page * 4_096 + 5], file[page * 4_096 + 6]) = (0x0E, 0x00)
        }
        #expect(leaves > 5)
        try made.folder.write(file, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        try await again.strong()
        let before = try await again.vault.wallets()
        #expect(before.count == count)
        _ = try? await again.add("One more", "secret")
        if renames { _ = try? await again.vault.renameWallet(before[70].id, to: WalletName("Wallet by another name")) }
        #expect(try await again.vault.inventory().wallets.count { $0.name.text.hasPrefix("Wallet") } >= count - 1)
        let lent = Shared<Set<String>>([])
        _ = try await again.vault.exportWallets(before.map(\.id), try await again.strong()) { _, bytes in
            lent.change { $0.formUnion([bytes.exposedText]) }
        }
        #expect(lent.value == Set((0..<count).map(String.init)))
    }

    /// What is overwritten is still a row, of another secret.
    @Test(.holds("V-05")) func `a row that SQLite would write into another one's secret is not written`() async throws {
        let made = try await TestVault.make()
        for number in 0..<6 { try await made.add("Wallet \(number)", String(repeating: "\(number)", count: 900)) }
        let prefix = WalletRecord.prefix(in: try made.slot(.localSecret).vault)
        await made.vault.close()
        var file = try made.folder.read("vault/vault.sqlite")
        // The first cell of a page is at its end: 1,000 bytes and more, of which the secret is the last.
        for page in 1..<file.count / 4_096 where file[page * 4_096] == 13 {
            guard RowScan.holds(prefix, in: Array(file[page * 4_096..<(page + 1) * 4_096])) else { continue }
            (file[page * 4_096 + 5], file[page * 4_096 + 6]) = (0x0F, 0x6A)
        }
        try made.folder.write(file, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        try await again.strong()
        #expect(try await again.vault.wallets().count == 6)
        #expect(await refusal { _ = try await again.add("One more", "secret") } == .vaultTampered)
        let third = try await made.restarted()
        try await third.strong()
        #expect(try await third.vault.wallets().count == 6)
    }
}

extension Vault {
    fileprivate func tag(of name: WalletName) throws -> Identifier {
        try #require(session).tag(of: name)
    }
}
