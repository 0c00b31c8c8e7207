import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Damage costs what was damaged, and nothing else: while one way in is whole, every wallet that is whole can be exported.
@Suite struct WalletDamageTests {
    @Test(arguments: Column.allCases)
    func `whatever byte of a column is changed, every wallet opens whose own secret is whole`(column: Column)
        async throws
    {
        let scene = try await DamagedScene.make()
        let values = try scene.sql { try column.values(in: $0) }
        #expect(!values.isEmpty)
        for (row, value) in values.enumerated() {
            for index in stride(
                from: row % 3,
                to: value.count,
                by: value.count > 1_000 ? 997 : value.count > 40 ? 29 : 5
            ) {
                var changed = value
                changed[index] ^= 1 << UInt8(index % 8)
                try scene.restore()
                try scene.sql { try column.change(value, to: changed, in: $0) }
                // Behind the header of a secret nothing else tells what was there.
                let lost = column == .walletSecret && index >= WalletRecord.headerByteCount ? 1 : 0
                try await scene.expectOpen(allBut: lost, "\(column) \(row), byte \(index)")
            }
        }
    }

    @Test(arguments: Column.allCases)
    func `whatever row is lost, every wallet opens whose own row is there`(column: Column) async throws {
        let scene = try await DamagedScene.make()
        let values = try scene.sql { try column.values(in: $0) }
        for (row, value) in values.enumerated() {
            try scene.restore()
            try scene.sql { try column.drop(value, in: $0) }
            try await scene.expectOpen(allBut: column.isOfWallets ? 1 : 0, "\(column) \(row)")
        }
    }

    @Test func `rows that somebody adds cost nothing`() async throws {
        let scene = try await DamagedScene.make()
        let wallet = try #require(scene.sql { try Column.walletID.values(in: $0) }.first)
        let slot = try #require(scene.sql { try Column.slotRecord.values(in: $0) }.first)
        let junk = [UInt8](repeating: 7, count: 90)
        let additions: [(Database) throws -> Void] = [
            { try $0.run("INSERT INTO wallet VALUES (?1, ?1, ?2, ?2)", .blob(Array(1...16)), .blob(junk)) },
            { try $0.run("INSERT INTO wallet VALUES (?1, ?1, ?2, ?2)", .blob([1]), .blob([])) },
            { try $0.run("INSERT INTO wallet VALUES (?1, ?1, ?2, ?1)", .integer(7), .text("label")) },
            {
                try $0.run(
                    "INSERT INTO wallet SELECT ?, tag, label, secret FROM wallet WHERE id = ?",
                    .blob(Array(1...16)),
                    .blob(wallet)
                )
            },
            { try $0.run("INSERT INTO slot VALUES (?, ?)", .blob(Array(1...16)), .blob(junk)) },
            { try $0.run("INSERT INTO slot VALUES (?, ?)", .blob(Array(1...16)), .blob(slot)) },
            { try $0.run("INSERT INTO slot VALUES (?, ?)", .text("id"), .integer(1)) },
            { try $0.run("INSERT INTO slot_copy VALUES (?, ?, ?)", .blob(Array(1...16)), .blob(slot), .blob(junk)) },
            { try $0.run("INSERT INTO slot_copy VALUES (?, ?, ?)", .blob([]), .blob([]), .blob([])) },
            { try $0.run("INSERT INTO leftover VALUES (?, ?)", .text("something"), .blob(junk)) },
        ]
        for (number, add) in additions.enumerated() {
            try scene.restore()
            try scene.sql(add)
            try await scene.expectOpen(allBut: 0, "addition \(number)")
        }
    }

    @Test func `with a PIN alone a damaged page of wallets costs only what was hit`() async throws {
        let made = try await TestVault.make()
        var texts: Set<String> = []
        for number in 1...24 {
            // Some lie in several pages.
            let text = String(repeating: "secret \(number) ", count: number % 8 == 0 ? 700 : 20)
            try await made.add("Wallet \(number)", text)
            texts.insert(text)
        }
        await made.vault.close()
        let file = try made.folder.read("vault/vault.sqlite")
        let ledger = try made.rootPage(of: "attempt_ledger")
        var (hidden, lost) = (0, 0)
        // SQLite opens nothing without the first page, and without the ledger's no guess is counted.
        for page in 2...file.count / 4_096 where page != ledger {
            var changed = file
            for index in 0..<16 { changed[(page - 1) * 4_096 + index] ^= 0xA5 }
            try made.folder.write(changed, to: "vault/vault.sqlite")
            let vault = try await Vault.open(
                in: made.path,
                device: made.simulated.clone().device,
                configuration: TestVault.configuration()
            )
            let proof = try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            let inventory = try await vault.inventory()
            let lent = Shared<[String]>([])
            let refusals = try await vault.exportWallets(inventory.wallets.map(\.id), proof) { _, bytes in
                lent.append(bytes.exposedText)
            }
            #expect(refusals.isEmpty && texts.isSuperset(of: lent.value))
            // At most the one of which a part lies in that page and nowhere else.
            #expect(lent.value.count >= texts.count - 1, "page \(page)")
            #expect(lent.value.count + inventory.damaged.count + inventory.missingCount == texts.count, "page \(page)")
            if await vault.snapshot.state == .unlocked(.exportOnly) { hidden += 1 }
            lost += texts.count - lent.value.count
            await vault.close()
        }
        #expect(hidden > 5 && lost > 2)
    }

    @Test func `a label that is damaged gives way to the id, and a secret is named by its label`() async throws {
        let made = try await TestVault.make()
        let (a, b) = (try await made.add("A", "secret of A"), try await made.add("B", "secret of B"))
        let records = try made.wallets()
        var label = try #require(records.first { $0.id == a.id })
        label.label[20] ^= 1
        var secret = try #require(records.first { $0.id == b.id })
        secret.secret[70] ^= 1
        try made.replace(label)
        try made.replace(secret)
        let again = try await made.restarted()
        try await again.strong()
        let inventory = try await again.vault.inventory()
        #expect(inventory.wallets.map(\.name.text) == [a.id.text] && inventory.wallets[0].kind == .opaque)
        #expect(inventory.damaged == [WalletInventory.Damaged(id: b.id, name: b.name)])
        #expect(inventory.missingCount == 0 && !inventory.isAuthentic)
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(again.log.kinds.last == .vaultTampered)
        let lent = Shared<[String]>([])
        let refusals = try await again.vault.exportWallets([b.id, a.id, .make()], try await again.strong()) {
            lent.append($0.name.text + ": " + $1.exposedText)
        }
        #expect(lent.value == ["\(a.id.text): secret of A"])
        #expect(refusals[b.id]?.code == .vaultTampered && refusals.count == 2)
        #expect(refusals.values.contains { $0.code == .walletMissing })
        #expect(await refusal { try await again.export(b.id) } == .vaultTampered)
    }

    @Test func `a vault that is whole has nothing damaged, and stays a full session`() async throws {
        let made = try await TestVault.make()
        for name in ["B", "A"] { try await made.add(name) }
        let inventory = try await made.vault.inventory()
        #expect(inventory.wallets.map(\.name.text) == ["A", "B"])
        #expect(inventory.damaged.isEmpty && inventory.missingCount == 0 && inventory.isAuthentic)
        #expect(await made.isOpen)
        await made.vault.lock()
        #expect(await refusal { try await made.vault.inventory() } == .locked)
    }

    @Test func `a wallet that is lost is missed, and one that another session deleted is not`() async throws {
        let made = try await TestVault.make()
        let wallets = [try await made.add("A"), try await made.add("B"), try await made.add("C")]
        try await made.vault.deleteWallet(wallets[0].id, try await made.strong())
        #expect(try await made.vault.inventory().missingCount == 0)
        try made.tamper { try $0.removeWallet(wallets[1].id) }
        let again = try await made.restarted()
        try await again.strong()
        let inventory = try await again.vault.inventory()
        #expect(inventory.wallets == [wallets[2]] && inventory.missingCount == 1)
    }
}

/// A column of bytes.
enum Column: CaseIterable {
    case headBody, headMAC, slotID, slotRecord, copyID, copyRecord, copyDigest, walletID, walletLabel, walletSecret
    case walletTag, walletDigests, ledgerBody, ledgerMAC

    var isOfWallets: Bool {
        switch self {
        case .walletID, .walletTag, .walletLabel, .walletSecret: true
        default: false
        }
    }

    func values(in database: Database) throws -> [[UInt8]] { try database.rows(statements.0).map { try $0.blob(0) } }

    func change(_ value: [UInt8], to changed: [UInt8], in database: Database) throws {
        try database.run(statements.1, .blob(changed), .blob(value))
        #expect(database.changes == 1)
    }

    func drop(_ value: [UInt8], in database: Database) throws {
        try database.run(statements.2, .blob(value))
        #expect(database.changes == 1)
    }

    private var statements: (StaticString, StaticString, StaticString) {
        switch self {
        case .headBody:
            ("SELECT body FROM head", "UPDATE head SET body = ? WHERE body = ?", "DELETE FROM head WHERE body = ?")
        case .headMAC:
            ("SELECT mac FROM head", "UPDATE head SET mac = ? WHERE mac = ?", "DELETE FROM head WHERE mac = ?")
        case .slotID: ("SELECT id FROM slot", "UPDATE slot SET id = ? WHERE id = ?", "DELETE FROM slot WHERE id = ?")
        case .slotRecord:
            (
                "SELECT record FROM slot", "UPDATE slot SET record = ? WHERE record = ?",
                "DELETE FROM slot WHERE record = ?"
            )
        case .copyID:
            (
                "SELECT id FROM slot_copy", "UPDATE slot_copy SET id = ? WHERE id = ?",
                "DELETE FROM slot_copy WHERE id = ?"
            )
        case .copyRecord:
            (
                "SELECT record FROM slot_copy", "UPDATE slot_copy SET record = ? WHERE record = ?",
                "DELETE FROM slot_copy WHERE record = ?"
            )
        case .copyDigest:
            (
                "SELECT digest FROM slot_copy", "UPDATE slot_copy SET digest = ? WHERE digest = ?",
                "DELETE FROM slot_copy WHERE digest = ?"
            )
        case .walletID:
            ("SELECT id FROM wallet", "UPDATE wallet SET id = ? WHERE id = ?", "DELETE FROM wallet WHERE id = ?")
        case .walletTag:
            ("SELECT tag FROM wallet", "UPDATE wallet SET tag = ? WHERE tag = ?", "DELETE FROM wallet WHERE tag = ?")
        case .walletDigests:
            (
                "SELECT digests FROM wallet_index", "UPDATE wallet_index SET digests = ? WHERE digests = ?",
                "DELETE FROM wallet_index WHERE digests = ?"
            )
        case .walletLabel:
            (
                "SELECT label FROM wallet", "UPDATE wallet SET label = ? WHERE label = ?",
                "DELETE FROM wallet WHERE label = ?"
            )
        case .walletSecret:
            (
                "SELECT secret FROM wallet", "UPDATE wallet SET secret = ? WHERE secret = ?",
                "DELETE FROM wallet WHERE secret = ?"
            )
        case .ledgerBody:
            (
                "SELECT body FROM attempt_ledger", "UPDATE attempt_ledger SET body = ? WHERE body = ?",
                "DELETE FROM attempt_ledger WHERE body = ?"
            )
        case .ledgerMAC:
            (
                "SELECT mac FROM attempt_ledger", "UPDATE attempt_ledger SET mac = ? WHERE mac = ?",
                "DELETE FROM attempt_ledger WHERE mac = ?"
            )
        }
    }
}

/// A vault of three wallets with every way in, which can be put back, device and all, as often as it is damaged.
private struct DamagedScene {
    let made: TestVault
    let key: String
    let wallets: [String: String]
    private let bytes: [UInt8]
    private let simulated: SimulatedDevice

    static func make() async throws -> DamagedScene {
        let made = try await TestVault.make(biometrics: true)
        var wallets: [String: String] = [:]
        for name in ["A", "B", "C"] {
            wallets[name] = "secret of \(name)"
            try await made.add(name, "secret of \(name)")
        }
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let bytes = try made.folder.read("vault/vault.sqlite")
        return DamagedScene(made: made, key: key, wallets: wallets, bytes: bytes, simulated: made.simulated)
    }

    func restore() throws {
        try made.removeLog()
        try made.folder.write(bytes, to: "vault/vault.sqlite")
    }

    func sql<Result>(_ body: (Database) throws -> Result) throws -> Result { try made.sql(body) }

    /// Opens the vault with its recovery key, and where the PIN may be tried with that, and exports what there is.
    func expectOpen(allBut lost: Int, _ comment: Comment) async throws {
        let damaged = try made.folder.read("vault/vault.sqlite")
        for byPIN in [false, true] {
            try made.removeLog()
            try made.folder.write(damaged, to: "vault/vault.sqlite")
            let device = simulated.clone()
            let vault = try await Vault.open(
                in: made.path,
                device: device.device,
                configuration: TestVault.configuration()
            )
            if byPIN {
                guard await vault.snapshot.nextAttempt == .allowed, await vault.snapshot.condition == .ready else {
                    return await vault.close()
                }
                try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            } else {
                try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            }
            let inventory = try await vault.inventory()
            #expect(inventory.wallets.count == wallets.count - lost, comment)
            let lent = Shared<[String]>([])
            let authorization = try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            let refusals = try await vault.exportWallets(inventory.wallets.map(\.id), authorization) {
                lent.append($1.exposedText)
            }
            #expect(refusals.isEmpty, comment)
            #expect(
                Set(lent.value).count == wallets.count - lost && Set(lent.value).isSubset(of: wallets.values),
                comment
            )
            await vault.close()
        }
    }
}
