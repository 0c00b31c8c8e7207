import Dispatch
import Testing
import ThumbturnBase
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// While a PIN is stretched the wallets are read; what came of it is a saving of time, and believed no more than a read of now.
@Suite struct ReadingAheadTests {
    @Test func `the call after an unlock finds the wallets read, and reads them no second time`() async throws {
        let made = try await Self.withWallets(WalletsAhead.least, stretchedBy: .standard)
        let watch = StatementWatch(made.path + "/vault.sqlite")
        defer { watch.end() }
        let vault = try await Vault.open(in: made.path, device: made.device, configuration: VaultConfiguration())
        // On a machine with much else to do the derivation may be the faster one.
        var tries = 0
        repeat {
            _ = watch.take()
            try await vault.unlock(with: SecretBytes(text: TestVault.pin))
            tries += 1
        } while await vault.countAhead != Int(WalletsAhead.least) && tries < 50
        #expect(try await vault.wallets().count == Int(WalletsAhead.least))
        #expect(watch.take().count { $0.contains("FROM wallet NOT INDEXED") } == 1)
        #expect(await vault.countAhead == nil, "what was used is not kept")
    }

    @Test func `an unlock that nothing follows which needs the wallets reads none`() async throws {
        let made = try await Self.withWallets(WalletsAhead.least)
        let watch = StatementWatch(made.path + "/vault.sqlite")
        defer { watch.end() }
        var configuration = VaultConfiguration(argon2: .insecureTest)
        configuration.readsAhead = false
        await made.vault.close()
        let vault = try await Vault.open(in: made.path, device: made.device, configuration: configuration)
        _ = watch.take()
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        #expect(await vault.snapshot.walletCount == Int(WalletsAhead.least))
        #expect(!watch.take().contains { $0.contains("FROM wallet") })
    }

    @Test func `what was read until the derivation ended is not read again`() async throws {
        let made = try await Self.withWallets(3)
        await made.vault.close()
        try made.tamper { store in
            let whole = try #require(try WalletRows(reading: store, about: 3))
            var reading = try WalletReading(of: store, about: 3)
            try reading.read(from: store, atMost: 1)
            #expect(reading.count == 1)
            // Who read it again would see that.
            let first = try store.wallets(from: .min)[0].record
            try store.setLabel(first.label.reversed(), of: first.id)
            let rows = try #require(try reading.finish(in: store))
            #expect(rows.index == whole.index)
        }
    }

    @Test func `who needs the wallets reads on where the unlock ended`() async throws {
        let made = try await Self.withWallets(3)
        try await made.vault.readAhead(atMost: 1)
        #expect(await made.vault.countAhead == 1)
        #expect(try await made.vault.wallets().count == 3)
        #expect(await made.vault.snapshot.isAuthentic == true)
    }

    @Test(.holds("A7")) func `a row that was put back behind those that were read ahead is found`() async throws {
        let made = try await Self.withWallets(2)
        let former = try made.wallets()[1]
        try await made.vault.renameWallet(former.id, to: WalletName("Renamed"))
        try made.replace(former)
        let again = try await made.restarted()
        try await again.strong()
        try await again.vault.readAhead(atMost: 1)
        #expect(await refusal { try await again.vault.renameWallet(former.id, to: WalletName("Z")) } == .vaultTampered)
    }

    @Test func `of few wallets none is read at the unlock`() async throws {
        let made = try await Self.withWallets(WalletsAhead.least - 1)
        let watch = StatementWatch(made.path + "/vault.sqlite")
        defer { watch.end() }
        let again = try await made.restarted()
        _ = watch.take()
        try await again.strong()
        #expect(!watch.take().contains { $0.contains("FROM wallet NOT INDEXED") })
    }

    @Test(.holds("A38")) func `what was read ahead counts for nothing once another process has added a wallet`()
        async throws
    {
        let made = try await Self.withWallets(2)
        try await made.vault.readAhead()
        let other = try await made.reopened()
        try await other.strong()
        try await other.add("Third")
        #expect(try await made.vault.wallets().count == 3)
        #expect(await made.vault.snapshot.isAuthentic == true)
    }

    @Test(.holds("A7")) func `a row that was put back before it was read ahead is found`() async throws {
        let made = try await Self.withWallets(2)
        let former = try made.wallets()[0]
        try await made.vault.renameWallet(former.id, to: WalletName("Renamed"))
        try made.replace(former)
        let again = try await made.restarted()
        try await again.strong()
        try await again.vault.readAhead()
        #expect(await refusal { try await again.vault.renameWallet(former.id, to: WalletName("Z")) } == .vaultTampered)
        #expect(await again.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A7")) func `a list shows the wallets of now, whatever was read ahead`() async throws {
        let made = try await Self.withWallets(2)
        try await made.vault.readAhead()
        let gone = try made.wallets()[0].id
        try made.tamper { try $0.removeWallet(gone) }
        #expect(await refusal { _ = try await made.vault.wallets() } == .vaultTampered)
    }

    @Test func `what this vault has changed since is not taken from what was read ahead`() async throws {
        let made = try await Self.withWallets(2)
        try await made.vault.readAhead()
        let ahead = Shared(await made.vault.takeAhead())
        try await made.add("Third")
        await made.vault.put(ahead)
        #expect(try await made.vault.wallets().count == 3)
    }

    @Test(.holds("A5")) func `a cost that is refused reads no wallet`() async throws {
        let made = try await Self.withWallets(WalletsAhead.least)
        let slot = try made.slot(.localSecret)
        try made.replace(slot, with: slot.asking(memoryKiB: 1 << 22, passes: 100))
        let watch = StatementWatch(made.path + "/vault.sqlite")
        defer { watch.end() }
        let again = try await made.restarted()
        _ = watch.take()
        #expect(await refusal { try await again.strong() } == .costTooHigh)
        #expect(!watch.take().contains { $0.contains("FROM wallet") })
    }

    @Test(arguments: [(2, false, 2), (1, false, 1), (2, true, 0)] as [(UInt32, Bool, Int)])
    func `no more is read ahead than the head names, and nothing after the end`(
        named: UInt32,
        isOver: Bool,
        read: Int
    ) async throws {
        let made = try await Self.withWallets(2)
        await made.vault.close()
        let count = try made.tamper { store in
            let ahead = WalletsAhead(count: named)
            if isOver { ahead.stop(store) }
            ahead.read(from: store)
            return ahead.reading?.count
        }
        #expect(count == read)
    }

    @Test func `a reading that is told to stop on its way ends before many more rows, and each is whole`() async throws
    {
        let made = try await Self.withWallets(100)
        await made.vault.close()
        try made.tamper { store in
            var reading = try WalletReading(of: store, about: 100)
            var asked = 0
            try reading.read(from: store) {
                asked += 1
                return asked == 2
            }
            #expect(asked == 2 && reading.count == 32)
            #expect(try reading.finish(in: store)?.index == WalletRows(reading: store, about: 100)?.index)
        }
    }

    @Test func `a reading that is interrupted in a query keeps what it has`() async throws {
        let made = try await Self.withWallets(3)
        await made.vault.close()
        try made.tamper { store in
            var reading = try WalletReading(of: store, about: 3)
            try reading.read(from: store, atMost: 1)
            #expect(throws: VaultError.self) {
                try reading.read(from: store) {
                    store.interrupt()
                    return false
                }
            }
            #expect(1...2 ~= reading.count)
            #expect(try reading.finish(in: store)?.index.count == 3)
        }
    }

    @Test(.holds("A36")) func `a lock forgets what was read ahead`() async throws {
        let made = try await Self.withWallets(2)
        try await made.vault.readAhead()
        #expect(await made.vault.forgetsAheadWhenLocked())
    }

    @Test func `what goes on beside is told to stop once the work is done, and has ended then`() {
        let mayEnd = DispatchSemaphore(value: 0)
        let events = Shared<[String]>([])
        let result = beside {
            mayEnd.wait()
            events.append("ended")
        } stop: {
            events.append("told")
            mayEnd.signal()
        } _: { () -> Int in
            events.append("done")
            return 7
        }
        #expect(result == 7)
        #expect(events.value == ["done", "told", "ended"])
    }

    @Test func `work that fails stops what goes on beside it, too`() {
        let mayEnd = DispatchSemaphore(value: 0)
        let events = Shared<[String]>([])
        #expect(throws: CancellationError.self) {
            try beside {
                mayEnd.wait()
                events.append("ended")
            } stop: {
                mayEnd.signal()
            } _: { () throws -> Int in
                throw CancellationError()
            }
        }
        #expect(events.value == ["ended"])
    }

    private static func withWallets(
        _ count: UInt32,
        stretchedBy cost: Argon2Limits = .insecureTest
    ) async throws -> TestVault {
        let made = try await TestVault.make(stretchedBy: cost)
        var next = 0
        try await made.vault.addWallets { () throws(VaultError) in
            guard next < count else { return nil }
            defer { next += 1 }
            return WalletImport(name: try WalletName("Wallet \(next)"), secret: .opaque(SecretBytes(text: "\(next)")))
        }
        return made
    }
}

extension Vault {
    /// How many rows were read ahead and are not used yet; nil for none.
    fileprivate var countAhead: Int? { session?.ahead?.count }

    /// What an unlock does while it stretches a PIN, where there are many wallets.
    fileprivate func readAhead(atMost most: Int = .max) throws {
        session?.index = nil
        var reading = try WalletReading(of: store, about: state.head.walletCount)
        try reading.read(from: store, atMost: most)
        session?.ahead = reading
    }

    fileprivate func forgetsAheadWhenLocked() -> Bool {
        let held = session
        lockAtOnce()
        return held != nil && held?.ahead == nil
    }

    fileprivate func takeAhead() -> WalletReading? { session?.ahead.take() }

    fileprivate func put(_ ahead: Shared<WalletReading?>) {
        session?.ahead = ahead.value
        session?.index = nil
    }
}
