import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

/// Bytes of the vault's file change or are lost.
@Suite struct DamageTests {
    @Test(.holds("A20", "INV-107-08"))
    func `any flipped byte of the ledger gives the strictest reading, dated, and never fewer demands`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        for number in 1...3 { _ = await refusal { try await made.guess(number) } }
        let size = try #require(try made.contents().ledger).body.count + 32
        for index in 0..<size {
            // Three failures again, in whatever ledger stands there now.
            while try await made.look().failedAttempts < 3 {
                _ = await refusal { try await made.guess() }
                await made.vault.lock()
            }
            try made.editLedger { body, mac in
                if index < body.count { body[index] ^= 1 } else { mac[index - body.count] ^= 1 }
            }
            let again = try await made.reopened()
            let snapshot = await again.vault.snapshot
            #expect(snapshot.nextAttempt == .wait(.hours(24)), "byte \(index)")
            #expect(snapshot.decision == .requireStrongFactor(.ledgerUnreliable), "byte \(index)")
            #expect(again.log.kinds == [.ledgerUnreliable])
            try await again.acceptOlderCopy(withRecoveryKey: key)
            await again.vault.close()
        }
    }

    @Test(.holds("A20")) func `a ledger of any other shape is not believed either`() async throws {
        let made = try await TestVault.make(biometrics: true)
        for (body, mac) in [([], []), ([1], [1]), (Array(repeating: 0, count: 4_096), Array(repeating: 0, count: 32))]
            as [([UInt8], [UInt8])]
        {
            try made.tamper { try $0.setLedger(VaultStore.TaggedRow(body: body, mac: mac)) }
            let again = try await made.reopened()
            #expect(await again.vault.snapshot.decision == .requireStrongFactor(.ledgerUnreliable))
            #expect(await again.vault.snapshot.nextAttempt == .wait(.hours(24)))
            await again.vault.close()
        }
        try made.waitADay()
        try await made.strong()
    }

    @Test(.holds("A40")) func `wallets without a head and slots are damage, and no place for a new vault`() async throws
    {
        let made = try await TestVault.make()
        try await made.add("Savings")
        await made.vault.close()
        try made.sql { database in
            try database.run("DELETE FROM head")
            try database.run("DELETE FROM slot")
            try database.run("DELETE FROM slot_copy")
        }
        #expect(await refusal { try await made.reopened() } == .vaultDamaged)
        let code = await refusal {
            try await Vault.create(
                in: made.path,
                device: made.device,
                secret: SecretBytes(text: TestVault.pin),
                policy: TestVault.policy
            )
        }
        #expect(code == .vaultDamaged)
        #expect(try made.sql { try $0.rows("SELECT id FROM wallet").count } == 1)
    }

    @Test(.holds("A40"))
    func `a file cut at any of two hundred lengths opens as before or is damaged, and is never no vault`()
        async throws
    {
        let made = try await TestVault.make()
        let wallet = try await made.add("Savings")
        await made.vault.close()
        let bytes = try made.folder.read("vault/vault.sqlite")
        for step in 0..<200 {
            let length = bytes.count * step / 200
            try made.folder.write(Array(bytes.prefix(length)), to: "vault/vault.sqlite")
            let code = await refusal {
                let again = try await made.reopened()
                try await again.strong()
                #expect(try await again.secret(of: wallet.id) == "a secret of many words")
                await again.vault.close()
            }
            #expect(code == nil || code == .vaultDamaged || code == .vaultTampered, "\(length): \(code?.text ?? "")")
        }
        try made.folder.write(bytes, to: "vault/vault.sqlite")
        try await made.reopened().strong()
    }

    @Test(.holds("A40")) func `an emptied file is opened as damage, and never as an empty vault`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        try made.folder.write([], to: "vault/vault.sqlite")
        #expect(await refusal { try await made.reopened() } == .vaultDamaged)
    }

    @Test(.holds("A41"), arguments: 0..<8)
    func `a file with bytes changed anywhere gives typed errors, no trap, and no session without its secret`(
        part: Int
    ) async throws {
        let seed = UInt64(0xA41) << 8 | UInt64(part)
        var numbers = SeededGenerator(seed: seed)
        let made = try await TestVault.make(biometrics: true)
        let wallet = try await made.add("Savings")
        let key = try await made.makeRecoveryKey()
        let wrong = try await TestVault.make().makeRecoveryKey()
        await made.vault.close()
        let bytes = try made.folder.read("vault/vault.sqlite")
        var opened = 0
        for round in 0..<250 {
            // Mutations that keep the length reach the rows; the others mostly end at the door.
            var changed = bytes
            if round % 5 == 0 {
                changed = numbers.mutate(bytes)
            } else {
                for _ in 0..<Int.random(in: 1...6, using: &numbers) {
                    changed[Int.random(in: 100..<bytes.count, using: &numbers)] ^=
                        1 << UInt8.random(in: 0..<8, using: &numbers)
                }
            }
            try made.folder.write(changed, to: "vault/vault.sqlite")
            try made.removeLog()
            _ = await refusal {
                let again = try await made.reopened()
                #expect(await refusal { try await again.guess() } != nil, "seed \(seed), round \(round)")
                #expect(await refusal { try await again.unlock(wrong) } != nil, "seed \(seed), round \(round)")
                #expect(await !again.vault.holdsKey, "seed \(seed), round \(round)")
                if await refusal({ try await again.unlock(key) }) == nil {
                    opened += 1
                    let text = try? await again.secret(of: wallet.id)
                    #expect(text == nil || text == "a secret of many words", "seed \(seed), round \(round)")
                    _ = await refusal { try await again.vault.wallets() }
                }
                await again.vault.close()
            }
        }
        #expect(opened > 0)
    }
}

extension TestVault {
    func editLedger(_ edit: (inout [UInt8], inout [UInt8]) -> Void) throws {
        try tamper { store in
            let ledger = try #require(try store.contents().ledger)
            var (body, mac) = (ledger.body, ledger.mac)
            edit(&body, &mac)
            try store.setLedger(VaultStore.TaggedRow(body: body, mac: mac))
        }
    }

    /// Removes what SQLite left beside the file.
    func removeLog() throws {
        for suffix in ["-wal", "-shm", "-journal"] {
            let path = self.path + "/vault.sqlite" + suffix
            if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(atPath: path) }
        }
    }
}
