import Testing
import ThumbturnBase
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

/// How often the file is read: each turn works on one reading.
@Suite struct VaultReadingTests {
    @Test func `A38: an unlock reads the file once, and once more after a prompt that gave up the lock`() async throws {
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
        let calls = Counter()
        made.simulated.interceptor = { call in
            guard case .anchorPosition = call, calls.next() == 1 else { return .proceed }
            try made.sql { try $0.run("ALTER TABLE wallet RENAME TO away") }
            return .proceed
        }
        #expect(await refusal { try await made.vault.inventory() } == .storageUnavailable)
        #expect(await made.isOpen)
    }

    @Test func `A36: the call that a lock came into writes when the session was last in use`() async throws {
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

    @Test func `A38: what a lock wrote down is told, and not written, where another process keeps the vault`()
        async throws
    {
        let simulated = SimulatedDevice()
        let (vault, other) = (Shared<Vault?>(nil), Shared<ProcessLock?>(nil))
        let watched = WatchedDevice(simulated) { call in
            guard case .read = call, let vault = vault.value else { return }
            _ = try? other.value?.tryAcquire()
            await vault.lock()
        }
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: watched.device)
        let before = try made.lastUse()
        try made.advance(.minutes(2))
        _ = try await made.vault.wallets()
        other.value = try ProcessLock(in: made.path)
        vault.value = made.vault
        #expect(await refusal { try await made.touch() } == .busy)
        other.value?.release()
        #expect(made.log.tolerated.contains(.busy))
        #expect(try made.lastUse() == before)
    }
}

extension TestVault {
    /// When the stored ledger says that the vault was last in use.
    fileprivate func lastUse() throws -> ClockReading? {
        try Ledger(parsing: #require(contents().ledger).body).lastUse
    }
}

extension StatementWatch {
    /// How often a whole look began since the last call.
    fileprivate func takeReadings() -> Int { take().count { $0 == "SELECT body, mac FROM head" } }
}
