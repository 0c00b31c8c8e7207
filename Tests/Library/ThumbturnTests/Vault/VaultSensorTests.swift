import Testing
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// When a vault looks at the sensor, whose service may not answer.
@Suite struct VaultSensorTests {
    private let simulated = SimulatedDevice()
    private let looks = Shared(0)
    private let looksUnderLock = Shared(0)
    private let path = Shared<String?>(nil)

    /// A device that counts the looks at its sensor, and those while nobody else may have the vault.
    private var device: Device {
        WatchedDevice(simulated) { [looks, looksUnderLock, path] call in
            guard case .capability = call else { return }
            looks.change { $0 += 1 }
            guard let path = path.value else { return }
            let lock = try? ProcessLock(in: path)
            if (try? lock?.tryAcquire()) == true { lock?.release() } else { looksUnderLock.change { $0 += 1 } }
        }.device
    }

    private func count(_ body: () async throws -> Void) async throws -> Int {
        let before = looks.value
        try await body()
        return looks.value - before
    }

    @Test(.holds("B-01", "B-03")) func `a PIN, and what it opens, looks at no sensor`() async throws {
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: device)
        let wallet = try await made.add("Main")
        await made.vault.lock()
        let count = try await count {
            try await made.strong()
            _ = try await made.secret(of: wallet.id)
            try await made.add("Second")
            try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
            #expect(await refusal { try await made.guess() } == .strongFactorRefused)
        }
        #expect(count == 0)
        var configuration = TestVault.configuration()
        configuration.asksSensor = false
        let opening = try await self.count {
            let vault = try await Vault.open(in: made.path, device: device, configuration: configuration)
            #expect(await !vault.snapshot.capability.available)
            try await vault.unlock(with: SecretBytes(text: "840275"))
        }
        #expect(opening == 0)
    }

    @Test(.holds("A38", "B-01")) func `what wants a finger looks at the sensor, and never under the vault's lock`()
        async throws
    {
        let made = try await TestVault.make(on: simulated, seenAs: device)
        path.change { $0 = made.path }
        let calls: [(String, () async throws -> Void)] = [
            ("enable", { try await made.enableBiometrics() }),
            ("refresh", { _ = try await made.look() }),
            ("foreground", { try await made.vault.enterForeground() }),
            ("open", { _ = try await made.reopened(seenAs: device) }),
            (
                "match",
                {
                    await made.vault.lock()
                    try await made.touch()
                }
            ),
            (
                "no match",
                {
                    await made.vault.lock()
                    #expect(await refusal { try await made.touch(.mismatch) } == .biometricsNotRecognised)
                }
            ),
            ("cancel", { #expect(await refusal { try await made.touch(.cancel) } != nil) }),
        ]
        for (name, call) in calls { #expect(try await count(call) > 0, "\(name)") }
        #expect(looksUnderLock.value == 0)
    }
}
