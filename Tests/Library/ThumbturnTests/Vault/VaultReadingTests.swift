import Testing
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// How often the file is read: each turn works on one reading.
@Suite struct VaultReadingTests {
    @Test(.holds("A38")) func `an unlock reads the file once, and once more after a prompt that gave up the lock`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.close()
        let watch = StatementWatch("\(made.path)/\(VaultStore.fileName)")
        defer { watch.end() }
        let opened = try await made.reopened()
        #expect(watch.takeReadings() == 1)
        try await opened.strong()
        #expect(watch.takeReadings() == 1)
        await opened.vault.lock()
        #expect(watch.takeReadings() == 0)
        try await opened.touch()
        #expect(watch.takeReadings() == 2)
        await opened.vault.close()
    }

    @Test func `a file that can't be read for a moment costs no full session`() async throws {
        let made = try await TestVault.make()
        try await made.add("One")
        await made.vault.close()
        let watch = StatementWatch("\(made.path)/\(VaultStore.fileName)")
        defer { watch.end() }
        let opened = try await made.reopened()
        try await opened.strong()
        watch.interrupt("SELECT id, tag, label, secret, rowid FROM wallet NOT INDEXED WHERE rowid >= ? ORDER BY rowid")
        #expect(await refusal { try await opened.vault.inventory() } == .storageUnavailable)
        #expect(await opened.isOpen)
        #expect(try await opened.vault.inventory().wallets.count == 1)
        await opened.vault.close()
    }

    @Test(.holds("A36")) func `the call that a lock came into writes when the session was last in use`() async throws {
        let lock = Shared<Vault?>(nil)
        let simulated = SimulatedDevice()
        let watched = WatchedDevice(simulated) { call in
            guard case .anchorPosition = call, let vault = lock.value else { return }
            await vault.lock()
        }
        let made = try await TestVault.make(on: simulated, seenAs: watched.device)
        try made.advance(.minutes(2))
        _ = try await made.vault.wallets()
        let used = made.device.clock()
        try made.advance(.minutes(1))
        lock.value = made.vault
        #expect(try await made.look().state == .locked)
        #expect(try made.lastUse() == used)
    }
}

extension StatementWatch {
    /// How often a whole look began since the last call.
    fileprivate func takeReadings() -> Int { take().count { $0 == "SELECT body, mac FROM head" } }
}
