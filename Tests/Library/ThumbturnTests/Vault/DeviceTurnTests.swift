import Testing
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// What a device is told of a vault's turns.
@Suite struct DeviceTurnTests {
    private struct Failure: Error {}

    /// What was begun and ended so far.
    private struct Told {
        var (begun, ended) = (0, 0)
    }

    /// A simulated device that hears of turns.
    private func device(
        _ simulated: SimulatedDevice,
        _ told: Shared<Told>,
        atEnd: @escaping @Sendable () async -> Void = {}
    ) -> Device {
        let device = simulated.device
        return Device(
            kind: device.kind,
            store: device.store,
            prompt: device.prompt,
            anchor: device.anchor,
            clock: device.clock,
            installation: device.installation,
            turns: DeviceTurns(
                begin: { told.change { $0.begun += 1 } },
                end: {
                    await atEnd()
                    told.change { $0.ended += 1 }
                }
            )
        )
    }

    @Test func `each call is one turn, begun after others' and ended with it, also one that fails`() async throws {
        let (simulated, told) = (SimulatedDevice(), Shared(Told()))
        let test = try await TestVault.make(biometrics: true, on: simulated, seenAs: device(simulated, told))
        let wallet = try await test.add("Main")
        var turns = told.value.ended
        #expect(turns > 2)
        let calls: [() async throws -> Void] = [
            { try await test.strong() },
            { try await test.guess() },
            { try await test.touch() },
            { try await test.touch(.cancel) },
            { _ = try await test.look() },
            { _ = try await test.secret(of: wallet.id) },
            { try await test.vault.withSecret(of: wallet.id) { _, _ in throw Failure() } },
        ]
        for call in calls {
            try? await call()
            turns += 1
            #expect(told.value.begun == turns && told.value.ended == turns)
        }
    }

    @Test func `a lock that comes while a turn is being ended keeps when the session was last in use`() async throws {
        let (simulated, told, lock) = (SimulatedDevice(), Shared(Told()), Shared<Vault?>(nil))
        let made = try await TestVault.make(
            on: simulated,
            seenAs: device(simulated, told) { await lock.value?.lock() }
        )
        try made.advance(.minutes(2))
        _ = try await made.vault.wallets()
        let used = made.device.clock()
        try made.advance(.minutes(1))
        lock.value = made.vault
        _ = try await made.look()
        #expect(await made.state == .locked)
        #expect(try made.lastUse() == used)
    }
}
