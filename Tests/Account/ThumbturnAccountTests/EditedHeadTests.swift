import Testing
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnAccount

extension OverSocketTests {
    /// Somebody edits the head of a vault, and names a service of his own.
    @Suite struct EditedHeadTests {
        private let host: Forwarder

        init() throws {
            host = try Forwarder()
            try host.start(to: "http://127.0.0.1:1")
        }

        @Test func `an account that is edited into a PIN's vault hears of nothing, whatever its owner types`() throws {
            let box = try Box.withVault()
            try box.run(["wallet", "import", "Main"], [Box.pin, Box.mnemonic]).ends(0)
            try Self.name(host.origin, in: box.vault)
            try box.run(["unlock"], [Box.wrongPIN]).ends(1, "ERR-107-040")
            try box.run(["unlock"], [Box.pin]).ends(4, "ERR-TT-210")
            #expect(
                try box.run(["wallet", "export", "Main"], [Box.pin]).standardOutput.contains(Box.mnemonic)
            )
            #expect(try !box.run(["status"]).standardOutput.contains(host.origin))
            for words in [["login"], ["login", "ada", "--service", host.origin], ["contact"], ["devices"], ["close"]] {
                try box.run(["account"] + words, [Box.pin, "ada"]).ends(1, "ERR-TT-507")
            }
            for words in [["pin", "change"], ["recovery", "create"]] {
                try box.run(words, [Box.pin, "71935028"]).ends(1, "ERR-TT-106")
            }
            try box.run(["rekey"], [Box.pin]).ends(4, "ERR-TT-210")
            #expect(host.sent.isEmpty)
            // One that has no vault yet does go there.
            try Box().run(["account", "login", "ada", "--service", host.origin], [Passwords.old]).ends(3, "ERR-TT-501")
            #expect(!host.sent.isEmpty)
        }

        /// Writes an account into a head, and leaves all else of the vault.
        private static func name(_ origin: String, in path: String) throws {
            let store = try VaultStore(openingIn: path, vfs: nil)
            defer { store.close() }
            let stored = try #require(try store.contents().head)
            var head = try Head(parsing: stored.body)
            head.account = VaultAccount(
                service: VaultAccount.Service(name: origin, address: origin),
                name: "ada",
                userID: .make(),
                device: .make(),
                deviceKey: ItemName(vault: head.vault, purpose: .deviceKey, unique: .make()),
                login: VaultAccount.Login(
                    group: .standard,
                    cost: Argon2Limits.standard.default,
                    saltDigest: SHA256.digest([1])
                )
            )
            try store.setHead(VaultStore.TaggedRow(body: head.bytes, mac: stored.mac))
        }
    }
}

/// An account's vault whose password's slot is lost.
@Suite struct LostPasswordSlotTests {
    @Test func `it opens for its recovery key, and asks nothing of the service`() async throws {
        let room = try AccountRoom()
        let made = try await TestDevice.make(in: room, AccountClientTests.old, registering: true)
        let path = made.folder.file("vault")
        await made.vault.close()
        let store = try VaultStore(openingIn: path, vfs: nil)
        let records = try store.contents().slots.map { try SlotRecord(parsing: $0.record) }
        for slot in records where slot.kind == .password { try store.removeSlot(slot.id) }
        store.close()
        let before = room.wire.sent.count
        let again = try await made.reopened(in: room)
        #expect(await again.vault.snapshot.condition == .keyMissing)
        #expect(await refusal { try await again.account.contact() } == .keyMissing)
        #expect(await refusal { try await again.unlock(AccountClientTests.old) } == .keyMissing)
        #expect(room.wire.sent.count == before)
    }
}
