import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultWalletTests {
    @Test(.holds("K-05")) func `wallets of every kind come in, are listed by name, renamed, exported and deleted`()
        async throws
    {
        let made = try await TestVault.make()
        let phrase = "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
        let digits = String(repeating: "1f", count: 32)
        let vault = made.vault
        let imported = try await vault.addWallet(named: WalletName("Imported"), .mnemonic(SecretBytes(text: phrase)))
        let key = try await vault.addWallet(named: WalletName("Key"), .privateKey(SecretBytes(text: "0x" + digits)))
        let fresh = try await vault.addWallet(named: WalletName("Fresh"), .newMnemonic(words: .twentyFour))
        let opaque = try await made.add("Bytes", "anything at all")
        #expect(try await vault.wallets() == [opaque, fresh, imported, key])
        #expect(try await made.look().walletCount == 4)

        #expect(try await made.export(imported.id) == phrase)
        #expect(try await made.export(key.id) == digits)
        #expect(try await made.export(fresh.id).split(separator: " ").count == 24)
        #expect(try await made.export(opaque.id) == "anything at all")
        #expect(
            try await vault.withSecret(of: imported.id) { kind, bytes in kind == .mnemonic && bytes.byteCount == 16 }
        )
        #expect(made.log.count(.walletExported) == 4)

        try await vault.renameWallet(fresh.id, to: WalletName("Zebra"))
        try await vault.deleteWallet(key.id, try await made.strong())
        #expect(try await vault.wallets().map(\.name.text) == ["Bytes", "Imported", "Zebra"])
        let again = try await made.restarted()
        try await again.strong()
        #expect(try await again.vault.wallets().map(\.name.text) == ["Bytes", "Imported", "Zebra"])
        #expect(try await again.export(imported.id) == phrase)
    }

    @Test(.holds("K-05")) func `a name belongs to one wallet, however it is composed`() async throws {
        let made = try await TestVault.make()
        let first = try await made.add("Caf\u{E9}")
        #expect(await refusal { try await made.add("Cafe\u{301}") } == .nameTaken)
        let second = try await made.add("Tea")
        #expect(
            await refusal { try await made.vault.renameWallet(second.id, to: WalletName("Caf\u{E9}")) } == .nameTaken
        )
        try await made.vault.renameWallet(first.id, to: WalletName("Cafe\u{301}"))
        #expect(await refusal { try await made.add("") } == .nameInvalid)
    }

    @Test(.holds("K-05")) func `what is not there is missing`() async throws {
        let made = try await TestVault.make()
        let nobody = Identifier(high: 1, low: 2)
        #expect(await refusal { try await made.secret(of: nobody) } == .walletMissing)
        #expect(await refusal { try await made.vault.renameWallet(nobody, to: WalletName("N")) } == .walletMissing)
        #expect(await refusal { try await made.vault.deleteWallet(nobody, try await made.strong()) } == .walletMissing)
        #expect(await refusal { try await made.export(nobody) } == .walletMissing)
    }

    @Test(.holds("K-01")) func `a secret of one byte and one of a mebibyte go in and come out, and none beyond`()
        async throws
    {
        let made = try await TestVault.make()
        let most = SecretBytes(text: String(repeating: "x", count: 1 << 20))
        let big = try await made.vault.addWallet(named: WalletName("Big"), .opaque(most))
        #expect(try await made.vault.withSecret(of: big.id) { _, bytes in bytes.byteCount } == 1 << 20)
        let small = try await made.add("Small", "y")
        #expect(try await made.secret(of: small.id) == "y")
        #expect(await refusal { try await made.add("None", "") } == .secretSizeWrong)
        let beyond = String(repeating: "x", count: (1 << 20) + 1)
        #expect(await refusal { try await made.add("Beyond", beyond) } == .secretSizeWrong)
        #expect(try await made.look().walletCount == 2)
    }

    @Test(.holds("K-01", "B-10"))
    func `no secret and no name lies in any file, and equal secrets are sealed differently`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        try await made.add("Unmistakable", "SENTINEL-OF-THE-SECRET")
        try await made.add("Unmistaken", "SENTINEL-OF-THE-SECRET")
        try made.expectNoTrace(of: ["Unmista", "SENTINEL-OF", TestVault.pin, key, String(key.prefix(19))])
        let records = try made.wallets()
        #expect(records[0].secret.suffix(60) != records[1].secret.suffix(60))
    }

    @Test(.holds("K-05")) func `what is deleted is gone from the files`() async throws {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        try await made.add("Other")
        let record = try #require(try made.wallets().first { $0.id == wallet.id })
        #expect(try made.holds(Array(record.secret.suffix(40))))
        try await made.vault.deleteWallet(wallet.id, try await made.strong())
        #expect(try !made.holds(Array(record.secret.suffix(40))))
        #expect(try !made.holds(Array(record.label.suffix(20))))
        #expect(made.log.count(.walletDeleted) == 1)
    }

    @Test(.holds("K-05")) func `wallets that come together come together or not at all`() async throws {
        let made = try await TestVault.make()
        try await made.add("Taken")
        let names = ["One", "Two", "Taken"]
        let code = await refusal {
            var position = 0
            try await made.vault.addWallets { () throws(VaultError) in
                guard position < names.count else { return nil }
                defer { position += 1 }
                return WalletImport(name: try WalletName(names[position]), secret: .opaque(SecretBytes(text: "s")))
            }
        }
        #expect(code == .nameTaken)
        #expect(try await made.vault.wallets().map(\.name.text) == ["Taken"])
    }

    @Test(.holds("K-05")) func `a thousand wallets are listed, each opens, and an unlock holds none against the head`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.vault.addWallets(Self.many(1_000))
        #expect(try await made.vault.wallets().count == 1_000)
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.walletCount == 1_000)
        try await again.strong()
        #expect(await again.vault.hasVerifiedNoWallet)
        let all = try await again.vault.wallets()
        let last = try #require(all.last)
        #expect(last.name.text == "Wallet 999" && all.count == 1_000)
        #expect(try await again.secret(of: last.id) == "secret 999")
    }

    private static func many(_ count: Int) -> sending () throws(VaultError) -> WalletImport? {
        var next = 0
        return { () throws(VaultError) in
            guard next < count else { return nil }
            defer { next += 1 }
            let digits = String("00\(next)".suffix(3))
            return WalletImport(
                name: try WalletName("Wallet \(digits)"),
                secret: .opaque(SecretBytes(text: "secret \(digits)"))
            )
        }
    }
}

extension TestVault {
    /// Exports a wallet right after the PIN.
    func export(_ id: Identifier) async throws -> String {
        try await vault.exportWallet(id, try await strong()) { _, bytes in bytes.exposedText }
    }

    /// Whether the vault's files hold these bytes.
    func holds(_ bytes: [UInt8]) throws -> Bool {
        try folder.files().values.contains { $0.contains(run: bytes) }
    }

    /// Looks for texts in every file and its name: as they are, in UTF-16, in hexadecimal, and in base64.
    func expectNoTrace(of texts: [String]) throws {
        let secrets = texts.enumerated().map { ("secret \($0)", Array($1.utf8)) }
        let scanner = LeakScanner(Dictionary(uniqueKeysWithValues: secrets))
        #expect(try scanner.leaks(below: folder.path) == [])
    }
}

extension [UInt8] {
    func contains(run: [UInt8]) -> Bool {
        guard let first = run.first, run.count <= count else { return false }
        return indices.dropLast(run.count - 1).contains { start in
            self[start] == first && self[start..<(start + run.count)].elementsEqual(run)
        }
    }
}

extension Vault {
    fileprivate var hasVerifiedNoWallet: Bool { session?.index == nil }
}
