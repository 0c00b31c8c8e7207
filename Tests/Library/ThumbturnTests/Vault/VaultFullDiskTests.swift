import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A disk without any room, on which a look at the vault finds something that is to be written down.
@Suite struct VaultFullDiskTests {
    /// What is to be written.
    enum News: CaseIterable {
        case nothing, wait, finger, installation, ledger
    }

    @Test(.holds("A19"), arguments: News.allCases)
    func `the recovery key opens on a full disk, whatever a look would write`(news: News) async throws {
        let full = try await FullDisk(with: news)
        let snapshot = await full.vault.snapshot
        #expect(snapshot.condition == (news == .nothing || news == .wait ? .ready : .diskFull))
        try await full.vault.unlock(withRecoveryKey: SecretBytes(text: full.key))
        // Of a ledger that was changed nobody knows whether the vault is the newest.
        #expect(await full.vault.snapshot.state == .unlocked(news == .ledger ? .exportOnly : .full))
        let text = try await full.vault.withSecret(of: full.wallet) { _, bytes in bytes.exposedText }
        #expect(text == "a secret of many words")
    }

    @Test(.holds("A19", "B-08"), arguments: [News.finger, .installation, .ledger])
    func `what a full disk did not take down opens to no PIN and no finger, and is written once there is room`(
        news: News
    ) async throws {
        let full = try await FullDisk(with: news)
        #expect(await refusal { try await full.vault.unlock(with: SecretBytes(text: TestVault.pin)) } == .diskFull)
        try full.made.simulated.simulate(.finger(.match))
        #expect(await refusal { try await full.vault.unlockWithBiometrics(TestVault.words) } == .diskFull)
        full.disk.disarm()
        let snapshot = try await full.vault.refresh()
        #expect(snapshot.condition == .ready)
        if news == .ledger {
            #expect(snapshot.nextAttempt == .wait(.minutes(24 * 60)))
        } else {
            #expect(snapshot.biometrics != .enabled)
            try await full.vault.unlock(with: SecretBytes(text: TestVault.pin))
        }
    }

    @Test(.holds("A19", "C5")) func `no finger is asked where a full disk could not count a mismatch`() async throws {
        let full = try await FullDisk(with: .nothing)
        for touch in [SimulatedTouch.mismatch, .match] {
            try full.made.simulated.simulate(.finger(touch))
            #expect(await refusal { try await full.vault.unlockWithBiometrics(TestVault.words) } == .diskFull)
        }
        full.disk.disarm()
        // Neither touch was taken.
        let answer = await refusal { try await full.vault.unlockWithBiometrics(TestVault.words) }
        #expect(answer == .biometricsNotRecognised)
        #expect(try Ledger(parsing: #require(full.made.contents().ledger).body).biometricFailures == 1)
        try await full.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("A19", "F-107-09"))
    func `a word of the service that a full disk did not take is told, kept and then written`()
        async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        await made.vault.close()
        let disk = FaultyDisk()
        var configuration = TestVault.configuration()
        configuration.vfs = disk.vfsName
        let vault = try await Vault.open(in: made.path, device: made.device, configuration: configuration)
        disk.arm(.full(from: 1))
        try made.advance(.hours(1))
        // That all is as it was only dates the contact, which may stay older.
        try await vault.accept(.epoch(TestAccount().epoch))
        #expect(await vault.snapshot.condition == .ready)
        #expect(await refusal { try await vault.accept(.deviceRevoked) } == .diskFull)
        try made.simulated.simulate(.finger(.match))
        #expect(await refusal { try await vault.unlockWithBiometrics(TestVault.words) } == .diskFull)
        disk.disarm()
        #expect(try await vault.refresh().biometrics != .enabled)
        #expect(await vault.isOnRevokedDevice)
    }

    @Test(.holds("A14", "A19")) func `a wait that a full disk did not bank runs no shorter, and is banked with room`()
        async throws
    {
        let full = try await FullDisk(with: .wait)
        #expect(await full.vault.snapshot.nextAttempt == .wait(.seconds(30)))
        let code = await refusal { try await full.vault.unlock(with: SecretBytes(text: TestVault.pin)) }
        #expect(code == .attemptDelayed)
        full.disk.disarm()
        try full.made.advance(.seconds(20))
        #expect(try await full.vault.refresh().nextAttempt == .wait(.seconds(10)))
        try full.made.advance(.seconds(10))
        try await full.vault.unlock(with: SecretBytes(text: TestVault.pin))
    }
}

/// A vault that was opened on a disk that is full since before.
private struct FullDisk {
    let made: TestVault
    let key: String
    let wallet: Identifier
    let disk = FaultyDisk()
    let vault: Vault

    init(with news: VaultFullDiskTests.News) async throws {
        let made = try await TestVault.make(biometrics: true)
        self.made = made
        key = try await made.makeRecoveryKey()
        wallet = try await made.add("Savings").id
        await made.vault.lock()
        switch news {
        case .nothing: break
        case .wait:
            for number in 1...4 { _ = await refusal { try await made.guess(number) } }
            try made.simulated.simulate(.reboot)
        case .finger: try made.simulated.simulate(.enroll)
        case .installation: try made.simulated.simulate(.reinstall)
        case .ledger:
            let database = try Database(opening: made.path + "/" + VaultStore.fileName, format: VaultStore.format)
            try database.run("UPDATE attempt_ledger SET mac = zeroblob(32)")
            database.close()
        }
        await made.vault.close()
        var configuration = TestVault.configuration()
        configuration.vfs = disk.vfsName
        disk.arm(.full(from: 1))
        vault = try await Vault.open(in: made.path, device: made.device, configuration: configuration)
    }
}
