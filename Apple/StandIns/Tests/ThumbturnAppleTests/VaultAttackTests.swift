import Foundation
import StandIn
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnApple

@Suite("A vault on a phone, attacked", .serialized)
struct VaultAttackTests {
    @Test(
        "a folder from before a change of the PIN opens with neither PIN",
        .holds("A7"),
        arguments: [Carrier.enclave, .keychain]
    )
    func oldFolder(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        var vault = try await app.makeVault()
        await vault.close()
        let old = try app.copyVault()
        vault = try await app.openVault()
        let newPIN = SecretBytes(text: "730519")
        try await vault.changeLocalSecret(to: newPIN, try await vault.unlockWithPIN())
        await vault.close()
        try app.restoreVault(old)
        vault = try await app.openVault()
        for pin in [App.pin, "730519"] {
            #expect(await app.failure { try await vault.unlock(with: SecretBytes(text: pin)) } == .keyMissing)
        }
        #expect(await app.failure { try await vault.unlockWithFinger() } != nil)
        #expect(app.phone.promptsShown == 0)
    }

    @Test("the count of failures is not forgotten with the folder that holds it", .holds("A8"))
    func oldCount() async throws {
        let app = try await App.installed()
        var vault = try await app.makeVault(biometrics: false)
        await vault.close()
        let old = try app.copyVault()
        vault = try await app.openVault()
        for number in 1...3 {
            let guess = SecretBytes(text: "73051\(number)")
            #expect(await app.failure { try await vault.unlock(with: guess) } == .strongFactorRefused)
        }
        await vault.close()
        try app.restoreVault(old)
        vault = try await app.openVault()
        #expect(await app.failure { try await vault.unlockWithPIN() } == .attemptDelayed)
    }

    @Test(
        "a start in a prewarmed, locked phone makes nothing, deletes nothing, and opens later",
        .holds("A25"),
        arguments: [-25308, -25291, -25300] as [Int32]
    )
    func prewarm(status: Int32) async throws {
        let app = try await App.installed()
        try await app.makeVault().close()
        let rows = app.phone.rows.count
        app.phone.reboot()
        app.phone.prewarm()
        app.phone.quirks.classLockedStatus = status
        app.phone.forgetCalls()
        let early = try await app.relaunched()
        #expect(await early.failure { try await early.openVault() } == .storageUnavailable)
        #expect(app.phone.rows.count == rows && !app.phone.calls.contains(.itemDelete))
        app.phone.quirks.classLockedStatus = -25308
        app.phone.unlockScreen()
        let vault = try await early.openVault()
        try await vault.unlockWithPIN()
        #expect(try await vault.isWhole)
    }

    @Test(
        "a lockout, or a refused Face ID, ends no biometrics, also where the keychain refuses unasked",
        .holds("C7", "C16"),
        arguments: [Situation.lockedOut, .lockedOutUnasked, .denied, .deniedUnasked],
        [Carrier.enclave, .keychain]
    )
    func refusedForNow(situation: Situation, carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.makeVault().close()
        situation.happen(to: app)
        let vault = try await app.openVault()
        #expect(await vault.snapshot.biometrics == .enabled)
        #expect(await app.failure { try await vault.unlockWithFinger() } != nil)
        #expect(app.phone.promptsShown == 0)
        try await vault.unlockWithPIN()
        #expect(try await vault.isWhole)
        await vault.lock()
        app.phone.permission = .allowed
        app.phone.lockScreen()
        app.phone.unlockScreen()
        // Our own lockout ends with the PIN alone (C7).
        try await vault.unlockWithPIN()
        await vault.lock()
        try await vault.unlockWithFinger()
        #expect(try await vault.isWhole)
        #expect(await vault.snapshot.biometrics == .enabled)
    }

    @Test(
        "a prompt whose service goes away ends no biometrics, counts nothing, and the PIN opens",
        .holds("A19", "B-03", "C7"),
        arguments: [Carrier.enclave, .keychain]
    )
    func serviceGone(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.makeVault().close()
        let vault = try await app.openVault()
        for _ in 1...4 {
            app.phone.fail(.evaluate, .refuses(-10), times: 2)
            #expect(await app.failure { try await vault.unlockWithFinger() } == .biometricsUnavailable)
        }
        let snapshot = await vault.snapshot
        #expect(snapshot.state == .requiresStrongFactor(.biometricsUnavailable) && snapshot.biometrics == .enabled)
        #expect(snapshot.failedBiometricAttempts == 0)
        try await vault.unlockWithPIN()
        await vault.lock()
        try await vault.unlockWithFinger()
        #expect(try await vault.isWhole)
    }

    @Test(
        "of an item that answers no, and nothing says why, the vault concludes nothing, and the PIN opens",
        .holds("A25"),
        arguments: [Carrier.enclave, .keychain]
    )
    func refusedForNoReason(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        try await app.makeVault().close()
        Situation.setChangedStaysRefused.happen(to: app)
        app.phone.forgetCalls()
        let vault = try await app.openVault()
        #expect(await vault.snapshot.biometrics == .enabled)
        try await vault.unlockWithPIN()
        #expect(try await vault.isWhole)
        #expect(!app.phone.calls.contains(.itemDelete))
        await vault.lock()
        // Who was recognised and got nothing is another matter: then the PIN is asked for.
        #expect(await app.failure { try await vault.unlockWithFinger() } == .biometricsChanged)
        #expect(await vault.snapshot.state == .requiresStrongFactor(.biometricsChanged))
        try await vault.enableBiometrics(
            BiometricConsent(ownerAgreedAt: app.device.clock()),
            try await vault.unlockWithPIN()
        )
        await vault.lock()
        try await vault.unlockWithFinger()
        #expect(try await vault.isWhole)
    }

    @Test(
        "on another phone the wallets are kept, and the recovery key opens them",
        .holds("A26"),
        arguments: [Carrier.enclave, .keychain]
    )
    func otherPhone(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        var vault = try await app.makeVault()
        let key = try await vault.createRecoveryKey(try await vault.unlockWithPIN()) { $0.exposedText }
        try await vault.confirmRecoveryKey(SecretBytes(text: key), try await vault.unlockWithPIN())
        await vault.close()
        _ = app.happen(.restoreElsewhere)
        let elsewhere = try await app.relaunched()
        vault = try await elsewhere.openVault()
        #expect(await vault.snapshot.condition == .keyMissing)
        #expect(await app.failure { try await vault.unlockWithPIN() } == .keyMissing)
        try await vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "730519"))
        #expect(try await vault.isWhole)
        await vault.close()
        vault = try await elsewhere.openVault()
        try await vault.unlock(with: SecretBytes(text: "730519"))
        #expect(try await vault.isWhole)
    }

    @Test("after a reinstall with the vault's files kept, the PIN opens and biometrics are off", .holds("A27"))
    func reinstalledWithFiles() async throws {
        let app = try await App.installed()
        try await app.makeVault().close()
        _ = app.happen(.reinstall)
        let again = try await app.relaunched()
        let vault = try await again.openVault()
        #expect(await vault.snapshot.biometrics == .revoked(.reinstalled))
        #expect(await app.failure { try await vault.unlockWithFinger() } != nil)
        #expect(app.phone.promptsShown == 0)
        try await vault.unlockWithPIN()
        #expect(try await vault.isWhole)
        #expect(await vault.snapshot.biometrics == .disabled)
    }

    @Test("rows of an app that is gone stand in nobody's way, and nothing of theirs comes back", .holds("A27"))
    func reinstalledWithoutFiles() async throws {
        let app = try await App.installed()
        try await app.makeVault().close()
        let old = Set(app.phone.itemRows.compactMap(\.account))
        try FileManager.default.removeItem(atPath: app.vaultPath)
        _ = app.happen(.reinstall)
        let again = try await app.relaunched()
        #expect(await app.failure { try await again.openVault() } == .vaultMissing)
        let vault = try await again.makeVault()
        #expect(try await vault.isWhole)
        let new = Set(app.phone.itemRows.compactMap(\.account)).subtracting(old)
        #expect(!new.isEmpty && app.phone.itemRows.contains { old.contains($0.account ?? "") })
    }

    @Test(
        "one more face revokes; the PIN opens, and enabling again makes another item",
        .holds("A28", "INV-107-07"),
        arguments: [Carrier.enclave, .keychain]
    )
    func oneMoreFace(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        let vault = try await app.makeVault()
        await vault.lock()
        let before = Set(app.phone.itemRows.compactMap(\.account))
        app.phone.changeEnrolment()
        #expect(await app.failure { try await vault.unlockWithFinger() } != nil)
        #expect(app.phone.promptsShown == 0)
        #expect(await vault.snapshot.biometrics == .revoked(.biometricsChanged))
        try await vault.unlockWithPIN()
        #expect(await vault.snapshot.biometrics == .disabled)
        let consent = BiometricConsent(ownerAgreedAt: app.device.clock())
        try await vault.enableBiometrics(consent, try await vault.unlockWithPIN())
        await vault.lock()
        try await vault.unlockWithFinger()
        #expect(try await vault.isWhole)
        let after = Set(app.phone.itemRows.compactMap(\.account))
        #expect(after.subtracting(before).count == 1 && before.subtracting(after).count == 1)
    }

    @Test(
        "a prompt that is made to succeed opens nothing, and costs the finger",
        .holds("A29", "C21"),
        arguments: [Carrier.enclave, .keychain]
    )
    func flippedBoolean(carrier: Carrier) async throws {
        let app = try await App.installed(PhoneSetup(), carrier)
        let vault = try await app.makeVault()
        await vault.lock()
        app.phone.fail(.evaluate, .claimsSuccess)
        #expect(await app.failure { try await vault.unlockWithFinger() } == .biometricsChanged)
        #expect(await vault.snapshot.state != .unlocked(.full))
        try await vault.unlockWithPIN()
        #expect(try await vault.isWhole)
    }

    @Test("a secret of another vault, put in this one's place, opens nothing", .holds("A30"))
    func otherVault() async throws {
        let app = try await App.installed()
        let vault = try await app.makeVault()
        await vault.lock()
        let keychain = Keychain(accessGroup: App.group)
        let mine = try #require(
            app.phone.itemRows.first { $0.account?.contains("biometric") == true && $0.service == "thumbturn.record" }
        )
        try await app.save(7)
        let row = Keychain.Row(kind: .record, name: try #require(mine.account))
        let other = try keychain.value(of: app.row(.record, 7))
        try keychain.delete(row)
        try keychain.add(
            unsafe SecretBytes(byteCount: other.count) { buffer in unsafe buffer.copyBytes(from: other) },
            as: row
        )
        #expect(await app.failure { try await vault.unlockWithFinger() } == .biometricsChanged)
        try await vault.unlockWithPIN()
        #expect(try await vault.isWhole)
    }

    @Test("the phone's passcode opens no biometric slot, and the fallback button is no finger", .holds("A31"))
    func passcode() async throws {
        let app = try await App.installed()
        let vault = try await app.makeVault()
        await vault.lock()
        for answer in [Answer.passcode, .fallback] {
            app.phone.script(answer)
            #expect(await app.failure { try await vault.unlockWithFinger() } != nil)
            #expect(await vault.snapshot.state != .unlocked(.full))
        }
    }

    @Test(
        "a platform that drops an attribute gets no biometrics, and keeps nothing",
        .holds("A32"),
        arguments: ["accc", "pdmn", "sync"],
        [Carrier.enclave, .keychain]
    )
    func dropped(attribute: String, carrier: Carrier) async throws {
        // The record, and the row that the owner guards.
        for row in 0..<2 where !(attribute == "accc" && row == 0) {
            let app = try await App.installed(PhoneSetup(), carrier)
            let vault = try await app.makeVault(biometrics: false)
            let before = app.phone.itemRows.count
            let consent = BiometricConsent(ownerAgreedAt: app.device.clock())
            let authorization = try await vault.unlockWithPIN()
            app.phone.fail(.itemAdd, .drops([attribute]), skipping: row)
            do {
                try await vault.enableBiometrics(consent, authorization)
                Issue.record("enabled without \(attribute) of row \(row)")
            } catch {
                #expect(
                    [.protectionDropped, .biometricsNotStored].contains(error.code),
                    "\(attribute) of row \(row): \(error)"
                )
            }
            #expect(await vault.snapshot.biometrics == .disabled)
            app.phone.repair()
            _ = try await vault.refresh()
            #expect(app.phone.itemRows.count == before, "\(attribute) of row \(row)")
        }
    }

    @Test("a backup that is restored elsewhere brings no row, and the folder alone opens nothing", .holds("A62"))
    func backup() async throws {
        let app = try await App.installed()
        try await app.makeVault().close()
        _ = app.happen(.restoreElsewhere)
        #expect(app.phone.rows.isEmpty && app.phone.enclaveKeyCount == 0)
        let vault = try await app.relaunched().openVault()
        #expect(await app.failure { try await vault.unlockWithPIN() } == .keyMissing)
        #expect(await app.failure { try await vault.unlockWithFinger() } == .keyMissing)
    }

    @Test("an erased phone, restored from its own backup, opens with the recovery key, and does not wait for ever")
    func erased() async throws {
        let app = try await App.installed()
        let vault = try await app.makeVault(biometrics: false)
        let key = try await vault.createRecoveryKey(try await vault.unlockWithPIN()) { $0.exposedText }
        try await vault.confirmRecoveryKey(SecretBytes(text: key), try await vault.unlockWithPIN())
        await vault.close()
        app.phone.forgetEnclaveKeys()
        let again = try await app.relaunched().openVault()
        #expect(await again.snapshot.condition == .keyMissing)
        try await again.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "730519"))
        #expect(try await again.isWhole)
    }

    @Test("where no enclave is, the wallet's policy refuses biometrics, and a lower one says so", .holds("B-06", "C14"))
    func assurance() async throws {
        let app = try await App.installed(PhoneSetup(hasEnclave: false), .keychain)
        let creation = try await Vault.create(
            in: app.vaultPath,
            device: app.device,
            secret: SecretBytes(text: App.pin),
            biometrics: BiometricConsent(ownerAgreedAt: app.device.clock()),
            configuration: TestVault.configuration()
        )
        #expect(creation.biometricsFailure?.code == .assuranceTooLow)
        let other = try await App.launched(in: TemporaryFolder(), .keychain)
        let lower = try await other.makeVault()
        let assurances = await lower.snapshot.slots.map(\.assurance)
        #expect(assurances == [.osKeychain, .osKeychain])

        let best = try await App.installed()
        #expect(try await best.makeVault().snapshot.slots.map(\.assurance) == [.hardwareBound, .hardwareBound])
    }

    @Test(
        "from the prompt to the open vault there is one prompt, and the enclave is asked once for the slot",
        .holds("F-107-04")
    )
    func nominal() async throws {
        let app = try await App.installed()
        let vault = try await app.makeVault()
        await vault.lock()
        app.phone.forgetPrompts()
        app.phone.forgetCalls()
        try await vault.unlockWithFinger()
        #expect(try await vault.isWhole)
        #expect(app.phone.promptsShown == 1)
        #expect(app.phone.calls.count { $0 == .evaluate } == 1)
    }
}

extension App {
    /// The vault's files, as a thief or a backup has them.
    func copyVault() throws -> TemporaryFolder {
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: vaultPath, toPath: copy.file("vault"))
        return copy
    }

    func restoreVault(_ copy: TemporaryFolder) throws {
        try FileManager.default.removeItem(atPath: vaultPath)
        try FileManager.default.copyItem(atPath: copy.file("vault"), toPath: vaultPath)
    }
}
