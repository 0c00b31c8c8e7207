import Foundation
import Testing
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A page of the vault's file was damaged in a way that SQLite reads over: what is written next must not make it worse.
@Suite struct PageDamageTests {
    @Test(.holds("V-05"), arguments: 2...9)
    func `a wallet that is added to a damaged page takes no other one's place`(count: Int) async throws {
        let made = try await Self.vault(of: (1...count).map { String(repeating: "secret \($0)", count: count) })
        let whole = try made.database()
        let page = try made.rootPage(of: "wallet")
        var refused = 0
        // What says where the next cell goes.
        for bit in 40..<56 {
            var damaged = whole
            let byte = (page - 1) * 4_096 + bit / 8
            damaged[byte] ^= UInt8(1) << UInt8(bit % 8)
            let device = made.simulated.clone().device
            let vault = try await made.opened(with: damaged, on: device)
            try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            let code = await refusal {
                try await vault.addWallet(named: WalletName("new"), .opaque(SecretBytes(text: "secret new")))
            }
            #expect(code == nil || code == .vaultTampered, "bit \(bit)")
            if code != nil {
                refused += 1
                #expect(await vault.snapshot.state == .unlocked(.exportOnly), "bit \(bit)")
            }
            await vault.close()
            try await made.expect(count + (code == nil ? 1 : 0), on: device, "bit \(bit)")
        }
        #expect(refused > 0)
    }

    @Test(.holds("V-05")) func `a page that a damaged list calls free, and is a wallet's, is not written`() async throws
    {
        let long = { (name: String) in String(repeating: "\(name) is long. ", count: 6_000) }
        let made = try await Self.vault(of: [long("A"), long("B"), long("C")])
        try await made.reopened().deleteSecond()
        let whole = try made.database()
        let trunk = (whole.number(at: 32) - 1) * 4_096
        try #require(trunk > 0)
        let count = whole.number(at: trunk + 4)
        try #require(count > 4)
        var refused = 0
        // The page of the head, a table, the notes, or of a wallet that stays.
        for leaf in 2..<min(30, count) {
            var damaged = whole
            damaged[trunk + 11 + 4 * (count - 1)] = UInt8(truncatingIfNeeded: leaf)
            let device = made.simulated.clone().device
            let vault = try await made.opened(with: damaged, on: device)
            try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            let code = await refusal {
                try await vault.addWallet(named: WalletName("new"), .opaque(SecretBytes(text: long("new"))))
            }
            #expect(code == nil || code == .vaultTampered || code == .vaultDamaged, "leaf \(leaf)")
            if code != nil { refused += 1 }
            await vault.close()
            try await made.expect(2 + (code == nil ? 1 : 0), on: device, "leaf \(leaf)")
            // A change of the PIN writes every table but that of wallets.
            let later = try await made.opened(on: device)
            let proof = try await later.unlock(with: SecretBytes(text: TestVault.pin))
            try await later.changeLocalSecret(to: SecretBytes(text: "840275"), proof)
            await later.close()
        }
        #expect(refused > 0)
    }

    @Test(.holds("V-05"), arguments: ["slot", "slot_copy"], 0..<2)
    func `whatever bit of a slot table's page is flipped, PIN and recovery key export`(
        table: String,
        part: Int
    ) async throws {
        let made = try await Self.vault(of: ["secret"])
        let key = try await made.reopened().recoveryKeyMade()
        let whole = try made.database()
        let page = try made.rootPage(of: table)
        for bit in stride(from: part, to: 24 * 8, by: 2) {
            var damaged = whole
            let byte = (page - 1) * 4_096 + bit / 8
            damaged[byte] ^= UInt8(1) << UInt8(bit % 8)
            let vault = try await made.opened(with: damaged)
            try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            #expect(try await vault.inventory().wallets.count == 1, "bit \(bit)")
            try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            #expect(try await vault.inventory().wallets.count == 1, "bit \(bit)")
            await vault.close()
        }
    }

    @Test(.holds("A28", "V-05"), arguments: ["slot", "slot_copy", "leftover"], [1, 2, 5, 6, 7])
    func `a page that can be read and takes no change keeps nobody out, also with a revoked finger`(
        table: String,
        byte: Int
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("One", "a secret")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let whole = try made.database()
        let page = try made.rootPage(of: table)
        // Where no note of the finger's item can be made, the revocation can't be written, and is found each time anew.
        let again: ErrorCode = table == "leftover" ? .biometricsChanged : .strongFactorRequired
        for bit in [0, 4, 7] {
            var damaged = whole
            damaged[(page - 1) * 4_096 + byte] ^= UInt8(1) << UInt8(bit)
            let simulated = made.simulated.clone()
            let vault = try await made.opened(with: damaged, on: simulated.device)
            try simulated.simulate(.enroll)
            let refused = await refusal { try await vault.unlockWithBiometrics(TestVault.words) }
            #expect(refused == .biometricsChanged, "bit \(bit)")
            for _ in 1...2 {
                try await vault.unlock(with: SecretBytes(text: TestVault.pin))
                #expect(try await vault.wallets().count == 1, "bit \(bit)")
                await vault.lock()
                try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
                #expect(try await vault.wallets().count == 1, "bit \(bit)")
                await vault.lock()
                let code = await refusal { try await vault.unlockWithBiometrics(TestVault.words) }
                #expect(code == again, "bit \(bit)")
            }
            await vault.close()
        }
    }

    @Test(.holds("V-05"), arguments: ["slot", "slot_copy"])
    func `where the pages of slots can be read, a way in can be changed`(table: String) async throws {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("One", "a secret")
        await made.vault.close()
        let whole = try made.database()
        let page = try made.rootPage(of: table)
        var mended = 0
        for bit in stride(from: 8, to: 64, by: 3) {
            var damaged = whole
            damaged[(page - 1) * 4_096 + bit / 8] ^= UInt8(1) << UInt8(bit % 8)
            let device = made.simulated.clone().device
            let vault = try await made.opened(with: damaged, on: device)
            guard try made.contents().lost.isEmpty else {
                await vault.close()
                continue
            }
            let proof = try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            try await vault.changeLocalSecret(to: SecretBytes(text: "840275"), proof)
            await vault.close()
            let later = try await made.opened(on: device)
            try await later.unlock(with: SecretBytes(text: "840275"))
            #expect(try await later.wallets().count == 1, "bit \(bit)")
            await later.close()
            mended += 1
        }
        #expect(mended > 6)
    }

    @Test(.holds("V-05")) func `whatever byte of the head is changed, the recovery key exports`() async throws {
        let made = try await TestVault.make()
        try await made.add("One", "a secret")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let whole = try made.database()
        let head = try made.contents().head
        let start = try #require(head.flatMap { whole.place(of: $0.body) })
        for bit in 0..<8 * (head?.body.count ?? 0) where bit % 8 == 0 || bit % 8 == bit / 8 % 8 {
            var damaged = whole
            damaged[start + bit / 8] ^= UInt8(1) << UInt8(bit % 8)
            let device = made.simulated.clone().device
            let vault = try await made.opened(with: damaged, on: device)
            let proof = try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            let wallets = try await vault.inventory().wallets.map(\.id)
            #expect(wallets.count == 1, "bit \(bit)")
            #expect(try await vault.exportWallets(wallets, proof) { _, _ in }.isEmpty, "bit \(bit)")
            await vault.close()
        }
    }

    @Test(.holds("V-05", "S-06")) func `a head that lists another kind than the slot is keeps no PIN out`() async throws
    {
        let made = try await TestVault.make()
        try await made.add("One", "a secret")
        await made.vault.close()
        let whole = try #require(try made.contents().head?.body)
        let slot = try #require(try Head(parsing: whole).slots.first)
        let kind = try #require(whole.place(of: slot.id.bytes)) + 16
        let device = made.simulated.clone().device
        for raw in UInt8(0)...8 where raw != SlotKind.localSecret.rawValue {
            try made.editHead { $0[kind] = raw }
            let vault = try await made.opened(on: device)
            try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            #expect(await vault.snapshot.state == .unlocked(.exportOnly), "kind \(raw)")
            #expect(try await vault.inventory().wallets.count == 1, "kind \(raw)")
            await vault.close()
        }
    }

    @Test(.holds("V-05")) func `without a head the recovery key that was typed back opens beside one that was not`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("One", "a secret")
        let key = try await made.makeRecoveryKey()
        let proof = try await made.strong()
        _ = try await made.vault.createRecoveryKey(proof) { _ in 0 }
        await made.vault.close()
        try made.editHead { $0 = [1, 2, 3] }
        let again = try await made.reopened()
        try await again.unlock(key)
        #expect(try await again.vault.inventory().wallets.count == 1)
    }

    @Test(.holds("V-05")) func `whatever bit is flipped of where a table begins, a wrong PIN erases nothing`()
        async throws
    {
        let made = try await Self.vault(of: ["one", "two", "three"])
        let key = try await made.reopened().recoveryKeyMade()
        let whole = try made.database()
        let tables = ["head", "slot", "wallet", "attempt_ledger", "leftover", "slot_copy"]
        // The number of the page stands before the statement; the index of wallets has none.
        let roots = tables.map { whole.place(of: Array("CREATE TABLE \($0) ".utf8)).map { $0 - 1 } }
        let index = Array("sqlite_autoindex_wallet_1wallet".utf8)
        for byte in try (roots + [whole.place(of: index).map { $0 + index.count }]).map({ try #require($0) }) {
            for bit in UInt8(0)..<8 {
                var damaged = whole
                damaged[byte] ^= 1 << bit
                let code = await refusal {
                    let vault = try await made.opened(with: damaged)
                    _ = await refusal { try await vault.unlock(with: SecretBytes(text: "000111")) }
                    await vault.close()
                }
                // Only what an upgrade made may begin anywhere.
                #expect(code == .vaultDamaged || byte == roots.last, "byte \(byte), bit \(bit)")
                let found = try OpenedBackup(at: made.path + "/vault.sqlite", recoveryKey: SecretBytes(text: key))
                #expect(found.inventory.wallets.count == 3, "byte \(byte), bit \(bit)")
            }
        }
    }

    @Test(.holds("V-05")) func `a slot's row that claims to be longer than any costs nothing`() async throws {
        let made = try await Self.vault(of: ["secret"])
        var damaged = try made.database()
        let page = (try made.rootPage(of: "slot_copy") - 1) * 4_096
        // The header of a row: its own length, an id of 16 bytes, a record of some length, a digest of 32 bytes.
        let header = try #require(
            (page..<page + 4_092).last { damaged[$0] == 5 && damaged[$0 + 1] == 44 && damaged[$0 + 4] == 76 }
        )
        for byte in 1...3 { damaged[header + byte] = 0xFF }
        let vault = try await made.opened(with: damaged)
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        #expect(try await vault.inventory().wallets.count == 1)
        #expect(
            try await vault.addWallet(named: WalletName("new"), .opaque(SecretBytes(text: "secret"))).name.text == "new"
        )
        await vault.close()
    }

    @Test(.holds("A20"), arguments: 0..<4)
    func `whatever bit of the ledger's page is flipped, the PIN waits a day or says what is damaged`(
        part: Int
    ) async throws {
        let made = try await Self.vault(of: ["secret"])
        let key = try await made.reopened().recoveryKeyMade()
        let whole = try made.database()
        let page = try made.rootPage(of: "attempt_ledger")
        let cell = (page - 1) * 4_096
        let start = Int(whole[cell + 8]) << 8 | Int(whole[cell + 9])
        var damagedForEver = 0
        for bit in stride(from: part, to: 20 * 8, by: 4) {
            var damaged = whole
            let byte = bit / 8 < 12 ? cell + bit / 8 : cell + start + bit / 8 - 12
            damaged[byte] ^= UInt8(1) << UInt8(bit % 8)
            let simulated = made.simulated.clone()
            let vault = try await made.opened(with: damaged, on: simulated.device)
            _ = await refusal { try await vault.unlock(with: SecretBytes(text: TestVault.pin)) }
            await vault.lock()
            try simulated.simulate(.advance(.hours(24)))
            let code = await refusal { try await vault.unlock(with: SecretBytes(text: TestVault.pin)) }
            #expect(code == nil || code == .vaultDamaged, "bit \(bit)")
            if code != nil {
                damagedForEver += 1
                #expect(await vault.snapshot.condition == .ledgerDamaged, "bit \(bit)")
            }
            try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            #expect(try await vault.inventory().wallets.count == 1, "bit \(bit)")
            await vault.close()
        }
        #expect(damagedForEver < 10)
    }

    @Test(.holds("A7")) func `an older copy whose ledger's page is damaged only exports, and ends nothing`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.add("One", "a secret")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let older = try made.database()
        let later = try await made.reopened()
        try await later.strong()
        try await later.add("Two", "another")
        await later.vault.close()
        let today = try made.database()
        let page = try made.rootPage(of: "attempt_ledger")
        var damaged = older
        damaged[(page - 1) * 4_096] ^= 1
        try made.folder.write(damaged, to: "vault/vault.sqlite")
        let copy = try await made.reopened()
        #expect(await copy.vault.snapshot.condition == .ledgerDamaged)
        #expect(await copy.vault.snapshot.isOlderCopy)
        try await copy.unlock(key)
        #expect(await copy.state == .unlocked(.exportOnly))
        #expect(try await copy.vault.inventory().wallets.map(\.name.text) == ["One"])
        let recovered = await refusal {
            try await copy.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
        }
        #expect(recovered == .olderCopy)
        await copy.vault.close()
        try made.folder.write(today, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        try await again.strong()
        #expect(await again.isOpen)
        #expect(try await again.vault.wallets().count == 2)
    }

    @Test(.holds("V-05"), arguments: ["head", "attempt_ledger"], ["body", "mac"])
    func `a column that lost its type costs what a changed one does`(table: String, column: String) async throws {
        let made = try await TestVault.make()
        try await made.add("One", "a secret")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        try made.sql { database in
            switch (table, column) {
            case ("head", "body"): try database.run("UPDATE head SET body = CAST(body AS TEXT)")
            case ("head", _): try database.run("UPDATE head SET mac = CAST(mac AS TEXT)")
            case (_, "body"): try database.run("UPDATE attempt_ledger SET body = CAST(body AS TEXT)")
            default: try database.run("UPDATE attempt_ledger SET mac = CAST(mac AS TEXT)")
            }
        }
        let again = try await made.reopened()
        try await again.unlock(key)
        #expect(try await again.vault.inventory().wallets.count == 1)
        await again.vault.lock()
        try await again.strong()
        #expect(try await again.vault.inventory().wallets.count == 1)
    }

    @Test(.holds("S-07"), arguments: ["head", "slot", "wallet", "attempt_ledger", "leftover", "slot_copy"])
    func `a reset of a file with a damaged page erases all, or nothing`(table: String) async throws {
        let made = try await TestVault.make()
        try await made.add("One", "a secret")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let whole = try made.database()
        let page = try made.rootPage(of: table)
        for byte in [0, 3, 5, 7, 9] {
            var damaged = whole
            damaged[(page - 1) * 4_096 + byte] ^= 2
            let vault = try await made.opened(with: damaged)
            let code = await refusal { try await vault.reset(ResetConfirmation(typed: "RESET")) }
            await vault.close()
            guard code == nil else {
                let again = try await made.opened()
                try await again.unlock(withRecoveryKey: SecretBytes(text: key))
                #expect(try await again.inventory().wallets.count == 1, "byte \(byte)")
                await again.close()
                continue
            }
            #expect(await refusal { try await made.opened() } == .vaultMissing, "byte \(byte)")
        }
    }

    @Test func `a lock ends the search through a damaged file`() async throws {
        let made = try await Self.vault(of: ["secret"])
        try made.sql { try $0.run("UPDATE head SET body = zeroblob(40)") }
        let whole = try made.database()
        let secret = try made.sql { try $0.rows("SELECT secret FROM wallet")[0].blob(0) }
        let place = try #require(whole.place(of: secret))
        // Pages that nothing refers to, which a search looks at, and the wallet behind them alone.
        var file = whole + [UInt8](repeating: 0x2C, count: 1_000 * 4_096) + whole
        file[place + secret.count - 1] ^= 1
        let count = file.count / 4_096
        for index in 0..<4 { file[28 + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index)) }
        let vault = try await made.opened(with: file)
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        let found = await vault.search()
        #expect(found.code == nil && found.wallets == 1)

        let (begins, say) = AsyncStream.makeStream(of: Void.self)
        async let search = vault.search { say.finish() }
        for await _ in begins {}
        await vault.lock()
        let ended = await search
        #expect(ended.code == .locked && ended.wallets == 0, "the last pages are not read")

        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        async let answer = refusal { try await vault.inventory() }
        for _ in 1...100_000 where await vault.isFree { await Task.yield() }
        try #require(await !vault.isFree)
        await vault.lock()
        #expect(await answer == .locked)
    }

    @Test func `a page with hundreds of long wallets that open hides none that follows`() async throws {
        let made = try await TestVault.make()
        var names = (1...270).map { "Wallet \($0)" }
        let all = names.count
        try await made.vault.addWallets { () throws(VaultError) in
            guard let name = names.popLast() else { return nil }
            let secret = SecretBytes(text: String(repeating: name, count: 600))
            return WalletImport(name: try WalletName(name), secret: .opaque(secret))
        }
        await made.vault.close()
        let last = try made.sql { database in
            try database.rows("SELECT secret FROM wallet ORDER BY rowid DESC LIMIT 1")[0].blob(0)
        }
        var file = try made.database()
        let start = try #require(file.place(of: Array(last.prefix(WalletRecord.headerByteCount))))
        file[start / 4_096 * 4_096] ^= 1
        let vault = try await made.opened(with: file)
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        #expect(try await vault.inventory().wallets.count == all)
    }

    /// A closed vault with opaque wallets.
    private static func vault(of secrets: [String]) async throws -> TestVault {
        let made = try await TestVault.make()
        for (number, text) in secrets.enumerated() { try await made.add("Wallet \(number)", text) }
        await made.vault.close()
        return made
    }
}

extension TestVault {
    fileprivate func database() throws -> [UInt8] { try folder.read("vault/vault.sqlite") }

    /// The vault on a device as it was when the file was read, so that no file is an older copy there.
    fileprivate func opened(with file: [UInt8]? = nil, on device: Device? = nil) async throws -> Vault {
        if let file {
            try removeLog()
            try folder.write(file, to: "vault/vault.sqlite")
        }
        return try await Vault.open(
            in: path,
            device: device ?? simulated.clone().device,
            configuration: TestVault.configuration()
        )
    }

    fileprivate func expect(_ count: Int, on device: Device, _ comment: Comment) async throws {
        let vault = try await opened(on: device)
        let proof = try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        let inventory = try await vault.inventory()
        #expect(inventory.wallets.count == count, comment)
        let lent = try await vault.exportWallets(inventory.wallets.map(\.id), proof) { _, _ in }
        #expect(lent.isEmpty, comment)
        await vault.close()
    }

    fileprivate func recoveryKeyMade() async throws -> String {
        try await strong()
        let key = try await makeRecoveryKey()
        await vault.close()
        return key
    }

    fileprivate func deleteSecond() async throws {
        let proof = try await strong()
        let wallet = try #require(await vault.wallets().first { $0.name.text == "Wallet 1" })
        try await vault.deleteWallet(wallet.id, proof)
        await vault.close()
    }
}

extension [UInt8] {
    /// A number of SQLite's.
    fileprivate func number(at position: Int) -> Int { self[position..<position + 4].reduce(0) { $0 << 8 | Int($1) } }

    fileprivate func place(of run: [UInt8]) -> Int? {
        indices.first { self[$0] == run[0] && self[$0...].starts(with: run) }
    }
}

extension Vault {
    fileprivate var isFree: Bool { !taskLock.isHeld }

    /// Looks through the file, as an inventory of a damaged one does.
    ///
    /// - Parameter begun: called before the first page; who hears it and calls the vault comes after that page.
    /// - Returns: why the search ended early, and how many wallets it had come to.
    fileprivate func search(_ begun: @Sendable () -> Void = {}) async -> (code: ErrorCode?, wallets: Int) {
        var counting = WalletInventory.Counting()
        var refusal: VaultError?
        do throws(VaultError) {
            try await turn { (turn) async throws(VaultError) in
                let session = try openSession(.exportOnly, in: turn)
                begun()
                _ = try await search(for: session, into: &counting)
            }
        } catch { refusal = error }
        return (refusal?.code, counting.inventory(of: nil).wallets.count)
    }
}
