import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

/// Each slot is kept in two rows: damage to one costs no way in.
@Suite struct SlotCopyTests {
    enum Table: CaseIterable { case slot, copy }

    @Test(.holds("A6"), arguments: Table.allCases)
    func `whatever byte of one row is changed, the other one is the slot`(table: Table) async throws {
        let made = try await Self.withAllWaysIn()
        let contents = try made.contents()
        let head = try Head(parsing: #require(contents.head).body)
        let records = contents.slotRecords(listedBy: head)
        #expect(records.count == 3 && contents.slotsAreWhole)
        for known in [head, nil] {
            for number in records.indices {
                for column in 0..<(table == .slot ? 2 : 3) {
                    for index in contents.rowBytes(number, column, of: table).indices {
                        let damaged = contents.flipping(8 * index + index % 8, of: column, in: number, of: table)
                        let isFound = damaged.slotRecords(listedBy: known) == records && !damaged.slotsAreWhole
                        if !isFound { Issue.record("row \(number), column \(column), byte \(index)") }
                    }
                }
            }
        }
    }

    @Test(arguments: Table.allCases)
    func `a damaged row costs neither biometrics nor PIN, is told, and is mended by the next unlock`(table: Table)
        async throws
    {
        let made = try await Self.withAllWaysIn()
        let whole = try made.contents()
        await made.vault.close()
        for number in 0..<3 {
            for column in 0..<(table == .slot ? 2 : 3) {
                let size = whole.rowBytes(number, column, of: table).count
                for index in stride(from: number, to: size, by: size > 32 ? 37 : 15) {
                    let damaged = whole.flipping(8 * index + index % 8, of: column, in: number, of: table)
                    try made.store(damaged, in: table)
                    let again = try await made.reopened()
                    #expect(await !again.vault.snapshot.slotsAreWhole)
                    #expect(await again.vault.snapshot.biometrics == .enabled)
                    try await again.touch()
                    #expect(await again.isOpen)
                    await again.vault.lock()
                    try await again.strong()
                    #expect(await again.isOpen)
                    #expect(await again.vault.snapshot.slotsAreWhole)
                    #expect(again.log.alarms.isEmpty)
                    let now = try again.contents()
                    #expect(now.slotsAreWhole && now.slots.elementsEqual(whole.slots, by: ==))
                    await again.vault.close()
                }
            }
        }
    }

    @Test(arguments: Table.allCases)
    func `rows that are lost, one or a whole table, cost nothing and come back`(table: Table) async throws {
        let made = try await Self.withAllWaysIn()
        let whole = try made.contents()
        let key = try await made.makeRecoveryKey()
        for lost in [[0], [1], [2], [0, 1, 2]] {
            try #require(try made.contents().slotsAreWhole)
            try made.remove(lost, from: table)
            let again = try await made.reopened()
            #expect(await !again.vault.snapshot.slotsAreWhole)
            try await again.unlock(key)
            #expect(await again.isOpen)
            #expect(await again.vault.snapshot.slotsAreWhole)
            #expect(try again.contents().slots.count == whole.slots.count)
            try await again.touch()
            await again.vault.close()
        }
    }

    @Test(.holds("A41"), arguments: Table.allCases)
    func `a table of slots whose page is garbage leaves the other one`(table: Table) async throws {
        let made = try await Self.withAllWaysIn()
        let key = try await made.makeRecoveryKey()
        let wallet = try await made.add("Savings")
        await made.vault.close()
        var bytes = try made.folder.read("vault/vault.sqlite")
        let page = try made.rootPage(of: table == .slot ? "slot" : "slot_copy") - 1
        for index in 0..<16 { bytes[page * 4_096 + index] = 0xFF }
        try made.folder.write(bytes, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        #expect(await !again.vault.snapshot.slotsAreWhole)
        try await again.strong()
        #expect(try await again.secret(of: wallet.id) == "a secret of many words")
        await again.vault.lock()
        try await again.unlock(key)
        #expect(try await again.secret(of: wallet.id) == "a secret of many words")
    }

    @Test(.holds("A28", "V-05"), arguments: ["slot", "slot_copy", "leftover"])
    func `where a table can't be read, a finger that was revoked keeps neither PIN nor recovery key out`(
        table: String
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        let wallet = try await made.add("Savings")
        await made.vault.close()
        let page = try made.rootPage(of: table) - 1
        var bytes = try made.folder.read("vault/vault.sqlite")
        for index in 0..<16 { bytes[page * 4_096 + index] = 0xFF }
        try made.folder.write(bytes, to: "vault/vault.sqlite")
        try made.simulated.simulate(.enroll)
        let again = try await made.reopened()
        #expect(await refusal { try await again.touch() } == .biometricsChanged)
        for _ in 1...2 {
            try await again.strong()
            #expect(try await again.secret(of: wallet.id) == "a secret of many words")
            await again.vault.lock()
            try await again.unlock(key)
            #expect(try await again.secret(of: wallet.id) == "a secret of many words")
            #expect(await again.secretOpensNothing())
        }
    }

    @Test(.holds("V-05"), arguments: ["head", "attempt_ledger", "leftover", "slot", "slot_copy"], [0, 3, 4, 5, 9])
    func `a flipped bit in the head of a table's page costs no wallet while there is a recovery key`(
        table: String,
        byte: Int
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        let wallet = try await made.add("One", "a secret")
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let page = try made.rootPage(of: table)
        var file = try made.folder.read("vault/vault.sqlite")
        file[(page - 1) * 4_096 + byte] ^= 2
        try made.folder.write(file, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        let proof = try await again.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        let refusals = try await again.vault.exportWallets([wallet.id], proof) { _, bytes in
            if bytes.exposedText != "a secret" { throw VaultError(.vaultDamaged) }
        }
        #expect(refusals.isEmpty)
        await again.vault.lock()
        for _ in 1...2 {
            try made.waitADay()
            let code = await refusal { try await again.strong() }
            // Where nothing can be counted no guess is answered; a page that can be emptied counts again.
            #expect(code == nil || code == .vaultDamaged && table == "attempt_ledger")
            if table == "attempt_ledger", byte == 0 { #expect(code == .vaultDamaged) }
            await again.vault.lock()
        }
        let later = try await again.restarted()
        try await later.unlock(key)
    }

    @Test func `without a head the digest tells which row is whole, and the PIN exports`() async throws {
        let made = try await Self.withAllWaysIn()
        let wallet = try await made.add("Savings")
        let whole = try made.contents()
        await made.vault.close()
        try made.editHead { $0 = [1, 2, 3] }
        for table in Table.allCases {
            let local = try #require(whole.slotRecords(listedBy: nil).firstIndex { $0.kind == .localSecret })
            let size = whole.rowBytes(local, 1, of: table).count
            // The salt, the item's name, the box.
            for index in [90, 130, size - 20] {
                try made.store(whole.flipping(8 * index, of: 1, in: local, of: table), in: table)
                let again = try await made.reopened()
                let authorization = try await again.strong()
                #expect(authorization.slot == .localSecret)
                #expect(await again.state == .unlocked(.exportOnly))
                #expect(try await again.export(wallet.id) == "a secret of many words")
                await again.vault.close()
            }
            try made.store(whole, in: table)
        }
    }

    @Test func `both rows wrong are the tampering that one was`() async throws {
        let made = try await Self.withAllWaysIn()
        let whole = try made.contents()
        let recovery = try #require(whole.slotRecords(listedBy: nil).firstIndex { $0.kind == .recovery })
        await made.vault.close()
        for table in Table.allCases {
            let size = whole.rowBytes(recovery, 1, of: table).count
            try made.store(whole.flipping(8 * (size - 1), of: 1, in: recovery, of: table), in: table)
        }
        let again = try await made.reopened()
        try await again.strong()
        #expect(await again.state == .unlocked(.exportOnly))
        #expect(again.log.kinds == [.passwordFallback, .vaultTampered])
        for table in Table.allCases { try made.remove([recovery], from: table) }
        let third = try await again.restarted()
        try await third.strong()
        #expect(await third.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A4", "A6", "A7"))
    func `a row of another content, planted in one table, opens nothing and is not made lasting`()
        async throws
    {
        let made = try await Self.withAllWaysIn()
        let former = try made.slot(.localSecret)
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        await made.vault.lock()
        let current = try made.slot(.localSecret)
        // The former PIN's row comes back beside the new one, in the second table alone: as when it was the only one.
        let record = try former.bytes
        try made.sql { database in
            try database.run(
                "INSERT INTO slot_copy VALUES (?, ?, ?)",
                .blob(former.id.bytes),
                .blob(record),
                .blob(SHA256.digest(record))
            )
        }
        let again = try await made.reopened()
        #expect(await refusal { try await again.strong() } == .strongFactorRefused)
        try await again.vault.unlock(with: SecretBytes(text: "840275"))
        #expect(await again.state == .unlocked(.exportOnly))
        await again.vault.close()
        try made.sql { try $0.run("DELETE FROM slot_copy WHERE id = ?", .blob(former.id.bytes)) }

        // Another cost, and the former content under the new id, each in either table.
        let costly = try current.asking(memoryKiB: 16, passes: 1).bytes
        for forged in [costly, record] {
            for table in Table.allCases {
                let whole = try made.contents()
                try made.plant(forged, as: current.id, in: table)
                let edited = try await made.reopened()
                #expect(await refusal { try await edited.strong() } == .strongFactorRefused)
                try await edited.vault.unlock(with: SecretBytes(text: "840275"))
                #expect(await edited.isOpen)
                #expect(try edited.contents().slots.elementsEqual(whole.slots, by: ==))
                #expect(try edited.contents().slotsAreWhole)
                await edited.vault.close()
            }
        }
    }

    private static func withAllWaysIn() async throws -> TestVault {
        let made = try await TestVault.make(biometrics: true)
        _ = try await made.makeRecoveryKey()
        return made
    }
}

extension VaultStore.Contents {
    fileprivate func rowBytes(_ number: Int, _ column: Int, of table: SlotCopyTests.Table) -> [UInt8] {
        let copy = copies[number]
        return switch (table, column) {
        case (.slot, 0): slots[number].id
        case (.slot, _): slots[number].record
        case (.copy, 0): copy.id
        case (.copy, 1): copy.record
        case (.copy, _): copy.digest
        }
    }

    fileprivate func flipping(_ bit: Int, of column: Int, in number: Int, of table: SlotCopyTests.Table) -> Self {
        var edited = self
        var bytes = rowBytes(number, column, of: table)
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        let copy = copies[number]
        switch (table, column) {
        case (.slot, 0): edited.slots[number].id = bytes
        case (.slot, _): edited.slots[number].record = bytes
        case (.copy, 0): edited.copies[number] = .init(id: bytes, record: copy.record, digest: copy.digest)
        case (.copy, 1): edited.copies[number] = .init(id: copy.id, record: bytes, digest: copy.digest)
        case (.copy, _): edited.copies[number] = .init(id: copy.id, record: copy.record, digest: bytes)
        }
        // As the store would give them.
        edited.slots.sort { $0.id.lexicographicallyPrecedes($1.id) }
        edited.copies.sort { $0.id.lexicographicallyPrecedes($1.id) }
        return edited
    }
}

extension TestVault {
    /// Changes rows by any statement, as an editor of the file would.
    func sql<Result>(_ body: (Database) throws -> Result) throws -> Result {
        let database = try Database(opening: path + "/vault.sqlite", format: VaultStore.format)
        defer { database.close() }
        return try body(database)
    }

    fileprivate func store(_ contents: VaultStore.Contents, in table: SlotCopyTests.Table) throws {
        try sql { database in
            switch table {
            case .slot:
                try database.run("DELETE FROM slot")
                for row in contents.slots {
                    try database.run("INSERT INTO slot VALUES (?, ?)", .blob(row.id), .blob(row.record))
                }
            case .copy:
                try database.run("DELETE FROM slot_copy")
                for copy in contents.copies {
                    try database.run(
                        "INSERT INTO slot_copy VALUES (?, ?, ?)",
                        .blob(copy.id),
                        .blob(copy.record),
                        .blob(copy.digest)
                    )
                }
            }
        }
    }

    fileprivate func remove(_ rows: [Int], from table: SlotCopyTests.Table) throws {
        var contents = try contents()
        for row in rows.sorted(by: >) {
            switch table {
            case .slot: contents.slots.remove(at: row)
            case .copy: contents.copies.remove(at: row)
            }
        }
        try store(contents, in: table)
    }

    fileprivate func plant(_ record: [UInt8], as id: Identifier, in table: SlotCopyTests.Table) throws {
        try sql { database in
            switch table {
            case .slot: try database.run("UPDATE slot SET record = ? WHERE id = ?", .blob(record), .blob(id.bytes))
            case .copy:
                try database.run(
                    "UPDATE slot_copy SET record = ?, digest = ? WHERE id = ?",
                    .blob(record),
                    .blob(SHA256.digest(record)),
                    .blob(id.bytes)
                )
            }
        }
    }
}

extension TestVault {
    /// The number of the page at which a table begins.
    func rootPage(of table: String) throws -> Int {
        let reader = try Database(opening: path + "/vault.sqlite", format: VaultStore.format)
        defer { reader.close() }
        let rows = try reader.rows("SELECT name, rootpage FROM sqlite_schema").filter { try $0.text(0) == table }
        return Int(try #require(rows.first).integer(1))
    }
}
