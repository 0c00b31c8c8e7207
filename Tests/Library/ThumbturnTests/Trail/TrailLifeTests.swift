import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// What becomes of a trail in the life of a vault, and that everything that a device can tell is in it.
@Suite struct TrailLifeTests {
    @Test(.holds("INV-107-10", "F-107-10"), arguments: AuditEventKind.allCases)
    func `each kind of event is a record, as the app hears of it`(kind: AuditEventKind) async throws {
        let told = try await Told(kind)
        let records = try await told.vault.records()
        #expect(records.contains { $0.kind == kind })
        let heard = told.log.events
        // The app hears of what happens to its vault, not of what becomes of the trail.
        #expect(heard.contains { $0.kind == kind } == (kind != .trailBegun))
        // A vault that was opened again tells a log of its own.
        let entries = records.filter { $0.kind != .trailBegun }.map(AuditEntry.init).suffix(heard.count)
        #expect(entries.map(\.kind) == heard.map(\.kind))
        #expect(entries.map(\.at) == heard.map(\.at.wall))
        #expect(entries.map(\.reason) == heard.map(\.reason))
        #expect(entries.map(\.attemptCount) == heard.map(\.attemptCount))
        #expect(entries.map(\.unlockDuration) == heard.map(\.unlockDuration))
        #expect(entries.map { Int($0.count) } == heard.map(\.count))
    }

    @Test(.holds("F-107-10", "A27")) func `a reinstallation begins another chain with its first PIN`() async throws {
        let made = try await TestVault.make()
        let (before, told) = (try made.trailRow(), try await made.told())
        await made.vault.close()
        try made.simulated.simulate(.reinstall)
        let again = try await made.reopened()
        #expect(try await again.told() == told)
        try await again.strong()
        #expect(try await again.told() == [.trailBegun, .passwordFallback])
        #expect(try await again.beginning() == "reinstalled")
        let row = try again.trailRow()
        #expect(row.epoch.writer == before.epoch.writer && row.secret == before.secret)
        #expect(row.former?.id == before.epoch.id)
        #expect(try await again.export(former: true).summary.epoch == before.epoch.id)
    }

    @Test(.holds("F-107-10", "A26")) func `a recovery on another device begins another chain, by another device`()
        async throws
    {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        let before = try made.trailRow()
        try made.simulated.simulate(.restoreElsewhere)
        let again = try await made.restarted()
        #expect(try await again.told().isEmpty)
        try await again.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
        #expect(try await again.beginning() == "reinstalled")
        let records = try await again.vault.records()
        #expect(records.map(\.kind).filter { $0 != .trailBegun } == [.localSecretChanged])
        // Where the device has none of the vault's keys, only the app's own log hears of the key that opened it.
        #expect(again.log.kinds == [.passwordFallback, .localSecretChanged])
        let row = try again.trailRow()
        #expect(row.epoch.writer.device != before.epoch.writer.device && row.secret != before.secret)
        for item in row.items { #expect(try await made.simulated.describe(item) != nil) }
        let third = try await again.restarted()
        try await third.vault.unlock(with: SecretBytes(text: "840275"))
        #expect(try third.trailRow().epoch.id == row.epoch.id)
    }

    @Test(.holds("F-107-10")) func `a vault from a backup begins a chain that names none before it`() async throws {
        let made = try await TestVault.make()
        let key = try await made.makeRecoveryKey()
        try await made.vault.backUp(to: made.backup, try await made.strong())
        let target = try TemporaryFolder()
        let vault = try await made.restore(key, into: target, on: SimulatedDevice().device)
        let records = try await vault.records()
        #expect(records.map(\.kind) == [.trailBegun, .vaultCreated])
        #expect(records.map(\.payload.reason) == ["restored", "restored"])
        #expect(records.first?.payload.former == nil)
        #expect(try await made.vault.records().first?.deviceId != records.first?.deviceId)
        await vault.close()
    }

    @Test(.holds("F-107-10", "INV-107-10")) func `an account's vault writes as the account's device`() async throws {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        let known = try #require(await made.vault.account)
        var writer = try made.trailRow().epoch.writer
        #expect(writer.user == account.userID && writer.device == known.device && writer.key == known.deviceKey)
        #expect(try await made.told() == [.trailBegun, .vaultCreated, .biometricEnabled])
        let file = Collected()
        try await made.vault.exportTrail(try await made.strong(account)) { file.append($0) }
        #expect(try TestVault.verified(file.bytes).deviceId == known.device)
        let records = try await made.vault.records()
        #expect(records.allSatisfy { $0.userId == account.userID.text && $0.deviceId == known.device })

        // The account lists another device: its first record follows the login that made it so.
        let device = try await made.vault.renewDevice()
        _ = try await made.vault.unlock(with: account.opening(account.identity(device)))
        writer = try made.trailRow().epoch.writer
        #expect(writer.user == account.userID && writer.device == device.id && writer.key == device.key)
        #expect(try await made.told() == [.trailBegun])
        #expect(try await made.beginning() == "deviceChanged")
    }

    @Test(.holds("F-107-10", "A21")) func `a new master key keeps the chain`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let row = try made.trailRow()
        try await made.vault.rekey(with: SecretBytes(text: TestVault.pin), recoveryKey: nil, made.strong())
        try await made.strong()
        let again = try await made.restarted()
        try await again.strong()
        let now = try again.trailRow()
        #expect(now.epoch.id == row.epoch.id && now.secret == row.secret && now.former == nil)
        let kinds = try await again.events().map(\.kind)
        #expect(kinds == made.log.kinds + [.passwordFallback] && kinds.contains(.vaultRekeyed))
    }

    @Test(.holds("F-107-10", "S-06")) func `system mode keeps the chain, on and off, and pins nothing meanwhile`()
        async throws
    {
        let made = try await TestVault.make()
        let row = try made.trailRow()
        _ = try await made.makeRecoveryKey()
        try await made.enableSystem()
        #expect(try made.trailRow().position == nil)
        let closed = try await made.restarted()
        try await closed.system()
        try await closed.disableSystem()
        let again = try await closed.restarted()
        try await again.open(with: TestVault.newPIN)
        let now = try again.trailRow()
        #expect(now.epoch.id == row.epoch.id && now.secret == row.secret && now.position != nil)
        let kinds = try await again.events().map(\.kind)
        #expect(kinds == made.log.kinds + closed.log.kinds + again.log.kinds)
        #expect(Set(kinds).isSuperset(of: [.systemEnabled, .systemSuccess, .systemDisabled]))
    }

    @Test(.holds("F-107-10", "K-06", "K-08")) func `a migration is told from its first event to its last`()
        async throws
    {
        let byPIN = try await FormerApp()
        let whole = try await byPIN.migrate().vault
        #expect(try await whole.trail(limit: .max).map(\.kind) == [.trailBegun] + byPIN.log.kinds)
        #expect(byPIN.log.count(.migrationCompleted) == 1 && byPIN.log.count(.legacyErased) == 1)
        await whole.close()

        let byFinger = try await FormerApp(biometric: FormerApp.words)
        let half = try await byFinger.half()
        #expect(try await half.told() == [.trailBegun, .migrationBegan, .biometricSuccess])
        #expect(await refusal { try await half.give(FormerApp.wrongPIN) } == .strongFactorRefused)
        try await half.complete()
        #expect(try await half.told() == [.trailBegun] + byFinger.log.kinds)
        #expect(try await half.beginning() == "created")
        #expect(byFinger.log.count(.passwordFailure) == 1 && byFinger.log.count(.migrationCompleted) == 1)
    }
}

/// A vault that just told of a kind of event.
///
/// A new kind does not compile until somebody has made a device tell it.
private struct Told {
    let vault: Vault
    let log: EventLog
    /// Lives as long as the vault.
    private let folder: TemporaryFolder

    private init(_ made: TestVault) { self.init(made.vault, made.log, made.folder) }

    private init(_ vault: Vault, _ log: EventLog, _ folder: TemporaryFolder) {
        (self.vault, self.log, self.folder) = (vault, log, folder)
    }

    init(_ kind: AuditEventKind) async throws {
        switch kind {
        case .trailBegun, .vaultCreated, .biometricEnabled:
            self.init(try await TestVault.make(biometrics: true))
        case .biometricDisabled, .biometricSuccess, .biometricFailure, .biometricRevokedBySystemChange:
            let made = try await TestVault.make(biometrics: true)
            try await Self.touch(made, until: kind)
            self.init(made)
        case .passwordFallback, .passwordFailure, .localSecretChanged, .recoveryChanged, .policyChanged, .vaultRekeyed:
            let made = try await TestVault.make()
            try await Self.typed(made, until: kind)
            self.init(made)
        case .walletExported, .walletDeleted:
            let made = try await TestVault.make()
            let wallet = try await made.add("Savings")
            let proof = try await made.strong()
            if kind == .walletDeleted {
                try await made.vault.deleteWallet(wallet.id, proof)
            } else {
                _ = try await made.vault.exportWallet(wallet.id, proof) { _, _ in }
            }
            self.init(made)
        case .ledgerUnreliable, .vaultTampered, .olderCopyFound, .olderCopyAccepted:
            self.init(try await Self.tampered(until: kind))
        case .vaultReset:
            let made = try await TestVault.make().restarted()
            try await made.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
            await made.vault.close()
            // The record of a reset stands before the next vault.
            let next = try await Vault.create(
                in: made.path,
                device: made.device,
                secret: SecretBytes(text: TestVault.pin),
                policy: TestVault.policy,
                configuration: TestVault.configuration(made.log)
            )
            self.init(next.vault, made.log, made.folder)
        case .systemEnabled, .systemDisabled, .systemSuccess, .systemFailure:
            let made = try await TestVault.inSystemMode().made
            await made.vault.lock()
            switch kind {
            case .systemDisabled: try await made.disableSystem()
            case .systemSuccess: try await made.system()
            case .systemFailure: _ = await refusal { try await made.system(.mismatch) }
            default: break
            }
            self.init(made)
        case .migrationBegan:
            let app = try await FormerApp(biometric: FormerApp.words)
            self.init(try await app.migrateByFinger().vault, app.log, app.folder)
        case .migrationCompleted, .legacyErased:
            let app = try await FormerApp()
            self.init(try await app.migrate().vault, app.log, app.folder)
        }
    }

    private static func touch(_ made: TestVault, until kind: AuditEventKind) async throws {
        if kind == .biometricDisabled {
            return try await made.vault.disableBiometrics(try await made.strong(), reason: "owner-s.choice_1")
        }
        await made.vault.lock()
        if kind == .biometricRevokedBySystemChange { try made.simulated.simulate(.enroll) }
        _ = await refusal { try await made.touch(kind == .biometricFailure ? .mismatch : .match) }
    }

    private static func typed(_ made: TestVault, until kind: AuditEventKind) async throws {
        switch kind {
        case .passwordFailure: _ = await refusal { try await made.guess() }
        case .localSecretChanged:
            try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        case .recoveryChanged: _ = try await made.makeRecoveryKey()
        case .policyChanged: try await made.vault.setPolicy(made.strong()) { $0.locksAfterIdle = .minutes(1) }
        case .vaultRekeyed:
            try await made.vault.rekey(with: SecretBytes(text: TestVault.pin), recoveryKey: nil, made.strong())
        default: try await made.strong()
        }
    }

    /// A vault whose files somebody changed or put back.
    private static func tampered(until kind: AuditEventKind) async throws -> TestVault {
        let made = try await TestVault.make()
        await made.vault.close()
        if kind == .vaultTampered {
            try made.editHead { $0[$0.count - 1] ^= 1 }
            let again = try await made.reopened()
            try await again.strong()
            return again
        }
        let copy = try made.folder.read("vault/vault.sqlite")
        let changed = try await made.reopened()
        _ = await refusal { try await changed.guess() }
        await changed.vault.close()
        try made.folder.write(copy, to: "vault/vault.sqlite")
        let again = try await made.reopened()
        guard kind != .ledgerUnreliable else { return again }
        try made.waitADay()
        try await again.strong()
        if kind == .olderCopyAccepted { try await again.acceptOlderCopy() }
        return again
    }
}
