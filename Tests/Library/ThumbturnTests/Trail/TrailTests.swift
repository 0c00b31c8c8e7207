import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// What happens is written down with it.
@Suite struct TrailTests {
    @Test(.holds("F-107-10", "INV-107-10")) func `a vault's trail begins with its creation`() async throws {
        let made = try await TestVault.make(biometrics: true)
        #expect(try await made.told() == [.trailBegun, .vaultCreated, .biometricEnabled])
        #expect(try await made.beginning() == "created")
        let summary = try #require(await made.vault.trailSummary)
        #expect(summary.count == 3 && summary.fingerprint.utf8.count == 64)
    }

    @Test(.holds("F-107-10", "INV-107-10", "P-107-09"))
    func `every event that the app hears of is a record, in its order`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        let wallet = try await made.add("Savings")
        await made.vault.lock()
        try await made.touch()
        await made.vault.lock()
        _ = await refusal { try await made.touch(.mismatch) }
        _ = await refusal { try await made.guess() }
        try await made.strong()
        _ = try await made.vault.exportWallet(wallet.id, try await made.strong()) { _, _ in }
        await made.vault.lock()
        try await made.unlock(key)
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        let again = try await made.vault.unlock(with: SecretBytes(text: "840275"))
        try await made.vault.disableBiometrics(again, reason: "not a word, but a text")
        try await made.vault.deleteWallet(
            wallet.id,
            try await made.vault.unlock(with: SecretBytes(text: "840275"))
        )
        let events = try await made.events()
        #expect(events.map(\.kind) == made.log.kinds)
        #expect(events.map(\.reason) == made.log.events.map(\.reason))
        #expect(events.map(\.attemptCount) == made.log.events.map(\.attemptCount))
        #expect(events.first { $0.kind == .biometricDisabled }?.reason == "other")
        #expect(
            Set(events.map(\.kind)).isSuperset(of: [
                .vaultCreated, .biometricEnabled, .recoveryChanged, .biometricSuccess, .biometricFailure,
                .passwordFailure, .passwordFallback, .walletExported, .localSecretChanged, .biometricDisabled,
                .walletDeleted,
            ])
        )
    }

    @Test(.holds("P-107-09")) func `a record says how many failures came before it`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        for number in 0..<2 { _ = await refusal { try await made.guess(number) } }
        try await made.strong()
        await made.vault.lock()
        for _ in 0..<2 { _ = await refusal { try await made.touch(.mismatch) } }
        try await made.touch()
        let counts = try await made.events().dropFirst(2).map { "\($0.kind.name) \($0.attemptCount)" }
        #expect(
            counts == [
                "PASSWORD_AUTH_FAILURE 0", "PASSWORD_AUTH_FAILURE 1", "PASSWORD_AUTH_FALLBACK 2",
                "BIOMETRIC_AUTH_FAILURE 0", "BIOMETRIC_AUTH_FAILURE 1", "BIOMETRIC_AUTH_SUCCESS 2",
            ]
        )
    }

    @Test(.holds("F-107-10")) func `an export holds the whole chain, and anyone can verify it`() async throws {
        let made = try await TestVault.make()
        let (summary, bytes) = try await made.export()
        #expect(summary.count == UInt64(try await made.told().count))
        let fingerprint = try #require(await made.vault.trailSummary).fingerprint
        #expect(summary.fingerprint == fingerprint)
        #expect(!String(decoding: bytes, as: UTF8.self).contains("userId"))
    }

    @Test(.holds("F-107-10")) func `the trail is read without a secret, after a restart too`() async throws {
        let made = try await TestVault.make()
        let told = try await made.told()
        let again = try await made.restarted()
        #expect(try await again.told() == told)
        #expect(try await again.vault.trail(after: 0, limit: 1).map(\.seq) == [1])
        #expect(try await again.vault.trail(after: UInt64(told.count)).isEmpty)
    }

    @Test(.holds("A46")) func `wrong recovery keys and what follows them within ten minutes are two records`()
        async throws
    {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        let size = try made.folder.read("vault/vault.sqlite").count
        let wrong = try RecoveryKeySample.another(than: key)
        for _ in 0..<40 {
            _ = await refusal { try await made.unlock(wrong) }
            try made.advance(.minutes(9))
        }
        var failures = try await made.events().filter { $0.kind == .passwordFailure }
        #expect(failures.map(\.count) == [1, 39])
        #expect(failures.map { $0.seq == nil } == [false, true])
        try await made.strong()
        failures = try await made.events().filter { $0.kind == .passwordFailure }
        #expect(failures.map(\.count) == [1, 39])
        #expect(!failures.contains { $0.seq == nil })
        #expect(failures.allSatisfy { $0.reason == "recoveryKey" })
        let until = try #require(failures.last?.until)
        #expect(until - failures[1].at == .minutes(9 * 38))
        #expect(try made.folder.read("vault/vault.sqlite").count - size < 64 << 10)
        // One that comes later begins anew.
        await made.vault.lock()
        _ = await refusal { try await made.unlock(wrong) }
        try made.advance(.minutes(11))
        _ = await refusal { try await made.unlock(wrong) }
        failures = try await made.events().filter { $0.kind == .passwordFailure }
        #expect(failures.map(\.count) == [1, 39, 1, 1] && !failures.contains { $0.seq == nil })
    }

    @Test(.holds("A46")) func `an export has no failure that is only counted`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        let wrong = try RecoveryKeySample.another(than: key)
        let authorization = try await made.strong()
        for _ in 0..<3 { _ = await refusal { try await made.unlock(wrong) } }
        let file = Collected()
        try await made.vault.exportTrail(authorization) { file.append($0) }
        #expect(try TestVault.verified(file.bytes).count == UInt64(try await made.told().count))
        #expect(try await made.events().last?.count == 2)
    }

    @Test(.holds("F-107-10")) func `an attempt whose process ended is told at the next look, and counted once`()
        async throws
    {
        let simulated = SimulatedDevice()
        let made = try await TestVault.make(on: simulated)
        await made.vault.lock()
        let image = Shared<FolderImage?>(nil)
        // The PIN's share is asked for between the attempt's count and its end.
        simulated.interceptor = { call in
            if case .evaluate = call { image.value = try? FolderImage(of: made.path) }
            return .proceed
        }
        _ = await refusal { try await made.guess() }
        simulated.interceptor = nil
        await made.vault.close()
        try #require(image.value).restore(to: made.path)
        #expect(try made.trailRow().attempt?.attemptCount == 0)
        let began = made.device.clock().wall
        try made.advance(.hours(8))
        let again = try await made.reopened()
        let told = try #require(try await again.events().last)
        #expect(told.at == began, "when it was tried, not when that was found")
        #expect(told.kind == .passwordFailure && told.reason == "interrupted" && told.attemptCount == 0)
        #expect(again.log.kinds == [.passwordFailure])
        #expect(try await again.look().failedAttempts == 1)
        #expect(try await again.restarted().events().count { $0.kind == .passwordFailure } == 1)
    }

    @Test(.holds("A43", "A25")) func `the trail's items are nobody's leftovers`() async throws {
        let made = try await TestVault.make()
        let row = try made.trailRow()
        try made.tamper { store in for item in row.items { try store.addLeftover(item) } }
        try await made.strong()
        let again = try await made.restarted()
        try await again.strong()
        for item in row.items { #expect(try await made.simulated.describe(item) != nil) }
    }

    @Test(.holds("A61")) func `a reset leaves one record of the trail, and the next vault goes on from it`()
        async throws
    {
        let made = try await TestVault.make()
        try await made.vault.reset(ResetConfirmation(typed: "RESET"))
        #expect(made.log.kinds.last == .vaultReset)
        await made.vault.close()
        let reset = try made.trailRow()
        #expect(reset.epoch.next == 2 && reset.former == nil)
        let creation = try await Vault.create(
            in: made.path,
            device: made.device,
            secret: SecretBytes(text: TestVault.pin),
            policy: TestVault.policy,
            configuration: TestVault.configuration()
        )
        await creation.vault.close()
        let next = try await made.reopened()
        #expect(try await next.told() == [.trailBegun, .vaultCreated])
        #expect(try next.trailRow().former?.id == reset.epoch.id)
        #expect(try await next.export(former: true).summary.count == 2)
    }
}

/// Recovery keys that open nothing.
enum RecoveryKeySample {
    static func another(than key: String) throws -> String {
        RecoveryKey.text(of: RandomSecret.make()).withBytes { $0.exposedText }
    }
}
