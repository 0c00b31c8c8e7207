import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

extension OnTheStack {
    /// The fingerprint service, its reader or the bus goes, before a prompt or while one is up; or the reader fails.
    @Suite(.enabled(if: SoftwareTPM.isThere))
    struct VaultLossTests {
        enum Loss: String, CaseIterable, Sendable {
            case fprintd, bus, reader
        }

        @Test(.holds("C9", "A19", "B-03"), arguments: TestMachine.Kind.allCases, Loss.allCases)
        func
            `with it gone a finger is refused as that, the PIN opens, and the finger comes back with it`(
                kind: TestMachine.Kind,
                loss: Loss
            ) async throws
        {
            let machine = try await TestMachine(kind)
            let vault = try await machine.makeVault(on: try await machine.device())
            await vault.lock()

            // While a prompt is up.
            machine.touch(.wait)
            async let answer = code { try await vault.unlockWithBiometrics(TestVault.words) }
            let shown = await machine.promptsShown()
            try lose(loss)
            let during = await answer
            #expect(during == .biometricsUnavailable)
            #expect(shown == 1)
            // And while there is none.
            if loss == .reader { try await TestStack.readerIsGone() }
            let before = await code { try await machine.lay(onto: vault) }
            #expect(before == .biometricsUnavailable)
            #expect(await machine.promptsShown() == shown)

            try await machine.enter(into: vault)
            await vault.close()
            let again = try await machine.open()
            #expect(await !again.snapshot.capability.available)
            try await machine.enter(into: again)
            let snapshot = await again.snapshot
            #expect(snapshot.failedAttempts == 0 && snapshot.failedBiometricAttempts == 0)
            #expect(snapshot.biometrics == .enabled, "nobody's finger was taken away")

            try await machine.bringBack(loss.rawValue)
            try await machine.requireWhole(after: again)
        }

        @Test(.holds("A19", "B-03", "C7"), arguments: TestMachine.Kind.allCases)
        func `a reader that is claimed or breaks costs a finger nothing, and the PIN opens`(
            kind: TestMachine.Kind
        ) async throws {
            let machine = try await TestMachine(kind)
            let vault = try await machine.makeVault(on: try await machine.device())
            await vault.lock()
            let other = OtherClient()
            try await other.call("Claim", "")
            #expect(try await vault.refresh().capability.available, "no look tells it")
            // More than there may be mismatches.
            for _ in 0...VaultPolicy.wallet.biometricFailureLimit {
                #expect(await code { try await machine.lay(onto: vault) } == .biometricsUnavailable)
            }
            try await machine.enter(into: vault)
            await vault.lock()
            try await other.call("Release")

            for _ in 0...VaultPolicy.wallet.biometricFailureLimit {
                machine.touch(.wait)
                async let answer = code { try await vault.unlockWithBiometrics(TestVault.words) }
                _ = await machine.promptsShown()
                try TestStack.happen("ERROR 0")
                #expect(await answer == .biometricsUnavailable)
            }
            let snapshot = try await vault.refresh()
            #expect(snapshot.failedBiometricAttempts == 0 && snapshot.biometrics == .enabled)
            try await machine.requireWhole(after: vault)
        }

        private func lose(_ loss: Loss) throws {
            switch loss {
            case .fprintd, .bus: try TestStack.run("stop", loss.rawValue)
            case .reader: try TestStack.happen("UNPLUG")
            }
        }
    }
}

extension TestMachine {
    /// Starts a service again; a new bus is a new stack, where the same fingers are enrolled anew.
    func bringBack(_ name: String) async throws {
        guard name == "bus" else {
            // A virtual reader that was pulled out comes back with its service.
            try TestStack.run("stop", "fprintd")
            return try TestStack.run("start", "fprintd")
        }
        try TestStack.run("up")
        try await enrolAgain()
    }
}
