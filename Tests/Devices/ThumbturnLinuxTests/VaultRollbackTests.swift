import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

extension OnTheStack {
    /// A software TPM's state, put back to an older copy while the vault's files stay.
    @Suite(.enabled(if: SoftwareTPM.isThere))
    struct VaultRollbackTests {
        /// What the copy does not know yet.
        enum Copy: CaseIterable, Sendable {
            case theVault, theGuesses, theLastGuess, theNewPIN, theNewFinger
        }

        @Test(.holds("A9"), arguments: Copy.allCases)
        func `a vault whose TPM was rolled back waits at most, and loses no wallet`(copy: Copy) async throws {
            let machine = try await TestMachine(.tpm)
            var state: [String: Data] = [:]
            func keep(_ now: Copy) throws {
                guard now == copy else { return }
                try machine.tpm.shutDown()
                state = try machine.tpm.copyState()
                try machine.tpm.start()
            }
            try keep(.theVault)
            let vault = try await machine.makeVault(on: try await machine.device())
            #expect(await vault.snapshot.slots.compactMap(\.assurance) == [.softwareFile, .softwareFile])
            try keep(.theNewFinger)
            let consent = try await machine.device().clock()
            try await vault.disableBiometrics(
                await vault.unlock(with: SecretBytes(text: TestMachine.secret))
            )
            try await vault.enableBiometrics(
                BiometricConsent(ownerAgreedAt: consent),
                await vault.unlock(with: SecretBytes(text: TestMachine.secret))
            )
            try keep(.theNewPIN)
            try await vault.changeLocalSecret(
                to: SecretBytes(text: "another horse battery"),
                await vault.unlock(with: SecretBytes(text: TestMachine.secret))
            )
            try await vault.changeLocalSecret(
                to: SecretBytes(text: TestMachine.secret),
                await vault.unlock(with: SecretBytes(text: "another horse battery"))
            )
            try keep(.theGuesses)
            for number in 1...2 {
                if number == 2 { try keep(.theLastGuess) }
                #expect(
                    await code { try await machine.enter("wrong secret \(number)", into: vault) }
                        == .strongFactorRefused
                )
            }
            await vault.close()

            try machine.tpm.replaceState(by: state)
            let again = try await machine.open()
            let snapshot = await again.snapshot
            #expect(snapshot.condition == .ready)
            // One guess behind is what a crash leaves before its secret is tried, and is given back: a TPM that is a
            // program promises no more. Anything older is not believed.
            #expect(snapshot.failedAttempts >= (copy == .theLastGuess ? 1 : 2))
            #expect(snapshot.ledgerIsReliable == (copy == .theLastGuess))
            let early = await code { try await machine.enter(into: again) }
            #expect(early == (copy == .theLastGuess ? nil : .attemptDelayed))
            await again.close()

            let later = try await machine.open(later: .days(1))
            let authorization = try await later.unlock(with: SecretBytes(text: TestMachine.secret))
            #expect(await later.snapshot.isOlderCopy == (copy != .theLastGuess))
            if await later.snapshot.isOlderCopy {
                let owner = try OlderCopyConfirmation(typed: OlderCopyConfirmation.phrase)
                try await later.acceptOlderCopy(owner, authorization)
            }
            if await later.snapshot.biometrics != .enabled {
                try await later.enableBiometrics(
                    BiometricConsent(ownerAgreedAt: try await machine.device(later: .days(1)).clock()),
                    await later.unlock(with: SecretBytes(text: TestMachine.secret))
                )
            }
            try await machine.requireWhole(after: later, "\(copy)")
        }
    }
}
