import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

extension OnTheStack {
    /// The fingerprint service, its reader or the bus goes, before a prompt or while one is up.
    @Suite(.enabled(if: SoftwareTPM.isThere))
    struct VaultLossTests {
        enum Loss: String, CaseIterable, Sendable {
            case fprintd, bus, reader
        }

        @Test(.holds("C9", "A19"), arguments: TestMachine.Kind.allCases, Loss.allCases)
        func
            `with it gone a finger is refused as unavailable, the PIN opens, and the finger comes back with it`(
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
            #expect(during == .storageUnavailable)
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
