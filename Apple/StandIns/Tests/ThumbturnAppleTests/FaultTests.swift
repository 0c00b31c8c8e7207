import Foundation
import StandIn
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnApple

/// What a vault goes through, during which any call of the system may fail.
enum Passage: String, CaseIterable, Sendable {
    case unlockWithPIN, unlockWithFinger, enable, disable, changePIN, reset

    static let newPIN = "730519"

    var startsWithBiometrics: Bool { self == .unlockWithFinger || self == .disable || self == .reset }

    func run(_ vault: Vault, on app: App) async throws {
        switch self {
        case .unlockWithPIN:
            try await vault.unlockWithPIN()
        case .unlockWithFinger:
            try await vault.unlockWithFinger()
        case .enable:
            let consent = BiometricConsent(ownerAgreedAt: app.device.clock())
            try await vault.enableBiometrics(consent, try await vault.unlockWithPIN())
        case .disable:
            try await vault.disableBiometrics(try await vault.unlockWithPIN())
        case .changePIN:
            try await vault.changeLocalSecret(to: SecretBytes(text: Self.newPIN), try await vault.unlockWithPIN())
        case .reset:
            try await vault.reset(try ResetConfirmation(typed: ResetConfirmation.phrase))
        }
    }
}

@Suite("A fault at each call of the system in a vault's life", .serialized)
struct FaultTests {
    /// A call that does nothing, and one that does its work, while the app hears of a failure.
    static let effects: [(String, Effect)] = [
        ("lost", .refuses(-25308)), ("stored", .happensButReports(-25291)), ("unheard of", .refuses(-4_711)),
    ]

    @Test(
        "leaves a vault that opens, or none",
        .holds("B-07", "A19", "A25"),
        arguments: Passage.allCases,
        [Carrier.enclave, .keychain]
    )
    func passage(passage: Passage, carrier: Carrier) async throws {
        for (effectName, effect) in Self.effects {
            var step = 0
            while true {
                let app = try await App.installed(PhoneSetup(), carrier)
                let vault = try await app.makeVault(biometrics: passage.startsWithBiometrics)
                await vault.lock()
                app.phone.forgetCalls()
                app.phone.fail(nil, effect, skipping: step)
                try? await passage.run(vault, on: app)
                let wasHit = app.phone.calls.count > step
                app.phone.repair()
                await vault.close()
                let place: Comment = "\(effectName) at call \(step) of \(passage)"
                try await expectWhole(app, after: passage, place)
                guard wasHit else { break }
                step += 1
            }
            #expect(step > 3, "\(passage) makes calls")
        }
    }

    @Test(
        "at creation leaves a vault that opens, or a place where one can be made",
        .holds("B-02", "A25"),
        arguments: [Carrier.enclave, .keychain]
    )
    func creation(carrier: Carrier) async throws {
        for (effectName, effect) in Self.effects {
            var step = 0
            while true {
                let app = try await App.installed(PhoneSetup(), carrier)
                app.phone.forgetCalls()
                app.phone.fail(nil, effect, skipping: step)
                let made = try? await app.makeVault()
                let wasHit = app.phone.calls.count > step
                app.phone.repair()
                await made?.close()
                let place: Comment = "\(effectName) at call \(step)"
                let vault: Vault
                do throws(VaultError) {
                    vault = try await app.openVault()
                } catch {
                    #expect(error.code == .vaultMissing, place)
                    vault = try await app.makeVault(biometrics: false)
                }
                try await vault.unlockWithPIN()
                #expect(await vault.snapshot.state == .unlocked(.full), place)
                guard wasHit else { break }
                step += 1
            }
            #expect(step > 8)
        }
    }

    /// The vault opens with its PIN, old or new, and is whole; after a reset it may be gone, and nothing of it stays.
    private func expectWhole(_ app: App, after passage: Passage, _ place: Comment) async throws {
        let vault: Vault
        do throws(VaultError) {
            vault = try await app.openVault()
        } catch {
            #expect(passage == .reset && error.code == .vaultMissing, place)
            #expect(app.phone.rowsBesideTrail.isEmpty, place)
            return
        }
        if passage == .reset, await vault.snapshot.condition == .resetPending {
            try await vault.reset(try ResetConfirmation(typed: ResetConfirmation.phrase))
            #expect(app.phone.rowsBesideTrail.isEmpty, place)
            return
        }
        // A fault that came after the attempt was recorded may cost a wait, never the vault.
        app.phone.pass(milliseconds: 86_400_000)
        do {
            try await vault.unlockWithPIN()
        } catch {
            #expect(passage == .changePIN, "\(place): \(error)")
            try await vault.unlock(with: SecretBytes(text: Passage.newPIN))
        }
        #expect(try await vault.isWhole, place)
        // Each slot's item is there, and no other is left behind.
        let items = Set(app.phone.rowsBesideTrail.compactMap(\.account))
        #expect(await items.count == vault.snapshot.slots.count, "\(place): \(items)")
        await vault.close()
    }
}
