import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// Several secrets of a former store in one move.
@Suite struct LegacyStoreTests {
    /// A former app's store in memory.
    actor FormerStore: LegacyStore {
        struct Item: Sendable {
            let name: String
            let kind: WalletKind
            let text: String
        }

        private(set) var items: [Item]
        var refusal: DeviceRefusal?
        /// How many secrets can be erased; nil for all.
        var erasable: Int?

        init(_ items: [Item]) { self.items = items }

        /// What another process writes in place of the first secret once all were read.
        var later: Item?

        /// Whether another process erases all once they were read.
        var isCleared = false

        func clear() { isCleared = true }
        func writing(_ item: Item) { later = item }
        func refuse(_ refusal: DeviceRefusal?) { self.refusal = refusal }
        func erasing(_ count: Int?) { erasable = count }
        func add(_ item: Item) { items.append(item) }

        func read(_ prompt: PromptText, into secrets: inout LegacySecrets) async throws(DeviceRefusal) {
            if let refusal { throw refusal }
            for item in items {
                guard let name = try? WalletName(item.name) else { throw .unclassified }
                let secret = SecretBytes(text: item.text)
                secrets.add(secret, as: item.kind, named: name)
            }
            if let later = later.take() { items[0] = later }
            if isCleared { items = [] }
        }

        func erase(_ name: WalletName, ifStill digest: [UInt8]) async throws(DeviceRefusal) -> Bool {
            guard let item = items.first(where: { $0.name == name.text }) else { return false }
            guard SHA256.digest(Array(item.text.utf8)) == digest else { throw .unclassified }
            if let left = erasable {
                guard left > 0 else { throw .unavailable }
                erasable = left - 1
            }
            items.removeAll { $0.name == name.text }
            return true
        }
    }

    private static let items = [
        FormerStore.Item(name: "Savings", kind: .mnemonic, text: FormerApp.words),
        FormerStore.Item(name: "Other", kind: .mnemonic, text: FormerApp.otherWords),
        FormerStore.Item(name: "Paper", kind: .privateKey, text: String(repeating: "1f", count: 32)),
        FormerStore.Item(name: "Note", kind: .opaque, text: "a passphrase"),
    ]

    private func move(_ former: FormerStore, _ made: TestVault) async throws -> [String] {
        try await made.vault.migrate(all: former, TestVault.words).map(\.name.text)
    }

    private func names(_ made: TestVault) async throws -> [String] {
        try await made.vault.wallets().map(\.name.text).sorted()
    }

    @Test(.holds("K-06", "K-01")) func `words, keys and bytes move in one call, open, and are erased`() async throws {
        let made = try await TestVault.make()
        let former = FormerStore(Self.items)
        #expect(try await move(former, made) == ["Savings", "Other", "Paper", "Note"])
        #expect(await former.items.isEmpty)
        let wallets = try await made.vault.wallets()
        #expect(wallets.map(\.kind.name).sorted() == ["mnemonic", "mnemonic", "opaque", "privateKey"])
        let note = try #require(wallets.first { $0.name.text == "Note" })
        #expect(try await made.secret(of: note.id) == "a passphrase")
        #expect(made.log.count(.migrationCompleted) == 1 && made.log.count(.legacyErased) == 1)
    }

    @Test(.holds("K-09"), arguments: 0..<4)
    func `one secret that the vault can't take keeps all of them where they are`(place: Int) async throws {
        let made = try await TestVault.make()
        var items = Self.items
        let wrong = String(FormerApp.words.dropLast(6)) + "legal"
        items[place] = FormerStore.Item(name: "Wrong", kind: .mnemonic, text: wrong)
        let former = FormerStore(items)
        #expect(await refusal { _ = try await move(former, made) } != nil)
        #expect(await former.items.count == 4)
        #expect(try await names(made).isEmpty)
    }

    @Test(.holds("K-09")) func `what was written since the read stays, and is told`() async throws {
        let made = try await TestVault.make()
        let former = FormerStore(Self.items)
        await former.writing(FormerStore.Item(name: "Savings", kind: .mnemonic, text: FormerApp.otherWords))
        #expect(await refusal { _ = try await move(former, made) } == .legacyNotErased)
        #expect(await former.items.map(\.text) == [FormerApp.otherWords])
        #expect(try await names(made).count == 4)
    }

    @Test(.holds("K-09", "F-107-10")) func `what another process has erased is not told as erased here`() async throws {
        let made = try await TestVault.make()
        let former = FormerStore(Self.items)
        await former.clear()
        #expect(try await move(former, made).count == 4)
        #expect(made.log.count(.migrationCompleted) == 1 && made.log.count(.legacyErased) == 0)
    }

    @Test(.holds("K-09")) func `bytes that a wallet of another kind has are not taken for it`() async throws {
        let made = try await TestVault.make()
        let key = String(repeating: "1f", count: 32)
        try await made.vault.addWallet(
            named: WalletName("Bytes"),
            .opaque(SecretBytes(text: String(decoding: [UInt8](repeating: 0x1f, count: 32), as: UTF8.self)))
        )
        let former = FormerStore([FormerStore.Item(name: "Paper", kind: .privateKey, text: key)])
        #expect(await refusal { _ = try await move(former, made) } == .nameTaken)
        #expect(await former.items.count == 1)
    }

    @Test(.holds("K-09")) func `a name that is taken, or given twice, changes nothing`() async throws {
        let made = try await TestVault.make()
        try await made.add("Paper", "something else")
        let former = FormerStore(Self.items)
        #expect(await refusal { _ = try await move(former, made) } == .nameTaken)
        let twice = FormerStore(Self.items + [FormerStore.Item(name: "Note", kind: .opaque, text: "another")])
        #expect(await refusal { _ = try await move(twice, made) } == .nameTaken)
        #expect(await former.items.count == 4)
        #expect(await twice.items.count == 5)
        #expect(try await names(made) == ["Paper"])
    }

    @Test(.holds("K-09"), arguments: 0...3)
    func `an erase that was cut off goes on, and nothing is added twice`(erased: Int) async throws {
        let made = try await TestVault.make()
        let former = FormerStore(Self.items)
        await former.erasing(erased)
        #expect(await refusal { _ = try await move(former, made) } == .legacyNotErased)
        #expect(await former.items.count == 4 - erased)
        #expect(try await names(made).count == 4)
        await former.erasing(nil)
        #expect(try await move(former, made).isEmpty)
        #expect(await former.items.isEmpty)
        #expect(try await names(made).count == 4)
    }

    @Test func `a prompt that is dismissed, an empty store and a locked vault move nothing`() async throws {
        let made = try await TestVault.make()
        let former = FormerStore(Self.items)
        await former.refuse(.cancelledByUser(afterMismatch: false))
        #expect(await refusal { _ = try await move(former, made) } == .promptCancelled)
        await former.refuse(.unavailable)
        #expect(await refusal { _ = try await move(former, made) } == .storageUnavailable)
        await former.refuse(nil)
        #expect(await refusal { _ = try await move(FormerStore([]), made) } == .legacyMissing)
        await made.vault.lock()
        #expect(await refusal { _ = try await move(former, made) } == .locked)
        #expect(await former.items.count == 4)
    }
}
