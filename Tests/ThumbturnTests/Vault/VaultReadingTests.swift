import Testing
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
}

extension StatementWatch {
    /// How often a whole look began since the last call.
    fileprivate func takeReadings() -> Int { take().count { $0 == "SELECT body, mac FROM head" } }
}
