import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultResetTests {
    @Test(.holds("C22", "A61")) func `a reset asks for what was typed, letter for letter`() async throws {
        for typed in ["", "reset", "RESET ", "yes"] {
            #expect(
                failure(of: { () throws(VaultError) in _ = try ResetConfirmation(typed: typed) })?.code
                    == .confirmationMissing
            )
        }
    }

    @Test(.holds("C22", "A61")) func `a reset erases everything in any state, and a new vault can be made`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        try await made.add("Savings")
        _ = try await made.makeRecoveryKey()
        let items = try made.slots().compactMap(\.item)
        await made.vault.lock()
        for number in 1...4 { _ = await refusal { try await made.guess(number) } }
        try await made.vault.reset(ResetConfirmation(typed: "RESET"))
        for item in items { #expect(try await made.simulated.describe(item) == nil) }
        #expect(try made.wallets().isEmpty && made.contents().head == nil)
        await made.vault.close()
        #expect(await refusal { try await made.reopened() } == .vaultMissing)
        let creation = try await Vault.create(
            in: made.path,
            device: made.device,
            secret: SecretBytes(text: "840275"),
            policy: TestVault.policy,
            configuration: TestVault.configuration()
        )
        #expect(try await creation.vault.refresh().failedAttempts == 0)
    }

    @Test(.holds("A61"), arguments: [SimulatedFault.deleteFails, .anchorRemoveFails])
    func `a reset that the device interrupts opens nothing, says so, and is completed at the next start`(
        fault: SimulatedFault
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        let items = try made.slots().compactMap(\.item)
        try made.simulated.simulate(.fault(fault))
        #expect(await refusal { try await made.vault.reset(ResetConfirmation(typed: "RESET")) } == .resetPending)
        #expect(await refusal { try await made.strong() } == .resetPending)
        #expect(await refusal { try await made.touch() } == .resetPending)
        await made.vault.close()
        #expect(await refusal { try await made.reopened() } == .vaultMissing)
        for item in items { #expect(try await made.simulated.describe(item) == nil) }
    }

    @Test(.holds("A25")) func `a device that can't be read is no reason to begin or to end a reset`() async throws {
        let made = try await TestVault.make()
        try made.simulated.simulate(.lockDevice)
        #expect(await refusal { try await made.vault.reset(ResetConfirmation(typed: "RESET")) } == .storageUnavailable)
        #expect(try made.slots().count == 1)
        try made.simulated.simulate(.unlockDevice)
        try await made.vault.reset(ResetConfirmation(typed: "RESET"))
        #expect(await refusal { try await made.restarted() } == .vaultMissing)
    }
}
