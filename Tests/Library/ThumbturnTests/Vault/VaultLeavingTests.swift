import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A vault whose device is gone, and the device that stands in for it.
@Suite struct VaultLeavingTests {
    private let standIn = SimulatedDevice()

    private func open(_ made: TestVault, leavesDevice: Bool = true) async throws -> Vault {
        var configuration = TestVault.configuration()
        configuration.leavesDevice = leavesDevice
        return try await Vault.open(in: made.path, device: standIn.device, configuration: configuration)
    }

    /// A vault that notes the device secret of before a recovery, and its recovery key.
    private func vaultWithNote() async throws -> (made: TestVault, key: String) {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        try made.simulated.simulate(.fault(.deleteFails))
        try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
        await made.vault.close()
        try #require(try made.contents().leftovers.count == 1)
        return (made, key)
    }

    @Test(.holds("A25"), arguments: [SimulatedFault.saveFails, .saveFailsAfterStoring])
    func `a recovery that fails after its key opened has given up nothing, and one that is done has`(
        fault: SimulatedFault
    ) async throws {
        let (made, key) = try await vaultWithNote()
        let before = try made.contents()
        let leaving = try await open(made)
        #expect(await leaving.snapshot.condition == .keyMissing)
        let own = before.leftovers.map(\.item) + (try made.slot(.localSecret).items) + before.trailItems
        #expect(Set(await leaving.ownItems) == Set(own))
        // The first unlock here begins another trail.
        try await leaving.unlock(withRecoveryKey: SecretBytes(text: key))
        await leaving.lock()
        try standIn.simulate(.fault(fault))
        let recover = {
            try await leaving.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: TestVault.pin))
        }
        #expect(await refusal { try await recover() } == .storageUnavailable)
        #expect(await leaving.hasSession)
        let noted = try made.contents().leftovers
        #expect(before.leftovers.allSatisfy(noted.contains), "what is to be deleted on the other device is noted")
        _ = try await recover()
        let rest = try made.contents().leftovers
        #expect(!before.leftovers.contains { rest.contains($0) })
        await leaving.close()
        try await open(made, leavesDevice: false).unlock(with: SecretBytes(text: TestVault.pin))
    }

    @Test(.holds("A25")) func `a half migrated vault keeps what its guesses are counted with`() async throws {
        let app = try await FormerApp(biometric: FormerApp.words)
        for _ in 0..<4 { _ = await refusal { try await app.migrate(FormerApp.wrongPIN) } }
        let half = try await app.half()
        await half.vault.close()
        let before = try half.contents()
        #expect(before.leftovers.count == 1 && before.leftovers.first?.tag == nil)
        await (try open(half)).close()
        let after = try half.contents()
        #expect(after.leftovers == before.leftovers && after.ledger == before.ledger && after.head == before.head)
        #expect(try await app.open().vault.snapshot.failedAttempts == 4)

        await (try open(half, leavesDevice: false)).close()
        #expect(try half.contents().leftovers.isEmpty, "any other device calls it absent")
    }
}
