import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A device key that nothing refers to goes as other items of its vault do.
@Suite struct VaultDeviceKeyTests {
    private func makeKey(of vault: Identifier, on device: SimulatedDevice) async throws -> ItemName {
        let name = ItemName(vault: vault, purpose: .deviceKey, unique: .make())
        _ = try await device.makeDeviceKey(name)
        return name
    }

    @Test func `one that is noted goes with its note at the next start`() async throws {
        let made = try await TestVault.make()
        let key = try await makeKey(of: made.slot(.localSecret).vault, on: made.simulated)
        try made.tamper { try $0.addLeftover(key) }
        let again = try await made.restarted()
        #expect(try await made.simulated.describe(key) == nil)
        #expect(try again.contents().leftovers.isEmpty)
    }

    @Test(.holds("A25")) func `another vault's stays, whatever this one's file says`() async throws {
        let made = try await TestVault.make()
        let key = try await makeKey(of: .make(), on: made.simulated)
        try made.tamper { try $0.addLeftover(key) }
        let again = try await made.restarted()
        try await again.strong()
        _ = try await again.look()
        #expect(try await made.simulated.describe(key) != nil)
    }

    @Test(.holds("A61")) func `a reset deletes one that is noted`() async throws {
        let made = try await TestVault.make()
        let key = try await makeKey(of: made.slot(.localSecret).vault, on: made.simulated)
        try made.tamper { try $0.addLeftover(key) }
        try await made.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        #expect(try await made.simulated.describe(key) == nil)
    }
}
