import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

extension OnTheStack {
    /// A power cut of the TPM before each command of an unlock of a whole vault; its state stays.
    @Suite(.enabled(if: SoftwareTPM.isThere))
    struct VaultCutTests {
        enum Way: CaseIterable, Sendable {
            case pin, wrongPIN, finger
        }

        /// The commands are shared among this many runs, each of which takes its part of a minute.
        private static let parts = 6

        @Test(.holds("A10", "A19", "A25"), arguments: Way.allCases, 0..<parts)
        func
            `a TPM that dies at any command of an unlock costs no wallet, no finger, and one attempt at most`(
                way: Way,
                part: Int
            ) async throws
        {
            let machine = try await TestMachine(.tpm)
            await (try await machine.makeVault(on: try await machine.device())).close()
            let (files, counters) = (try machine.itemCount(), try machine.counterCount())
            var (cut, isCut, refused) = (part, true, 0)
            while isCut {
                let vault = try await machine.open()
                // A wrong PIN stands on the record, so that one that is lost shows too.
                #expect(await code { try await machine.enter("a wrong secret", into: vault) } == .strongFactorRefused)
                try machine.tpm.forgiveGuesses()

                let (now, tpm) = (cut, machine.tpm)
                machine.proxy.beforeEach { if $0 == now { tpm.kill() } }
                let code = await code { try await enter(way, vault, machine) }
                isCut = machine.proxy.commands.count > cut
                let isRecorded = Self.isRecorded(machine.proxy.codes)
                machine.proxy.beforeEach(nil)
                if isCut { try machine.tpm.start() }
                try machine.tpm.forgiveGuesses()
                await vault.close()

                let message = "\(way) at \(cut): \(code?.text ?? "open")"
                refused += code == nil ? 0 : 1
                #expect(Self.honest(way, isCut).contains(code), "\(message)")
                let again = try await machine.open()
                let snapshot = await again.snapshot
                #expect(
                    Self.counts(way, code, isRecorded).contains(snapshot.failedAttempts),
                    "\(message): \(snapshot.failedAttempts)"
                )
                #expect(snapshot.ledgerIsReliable && snapshot.condition == .ready, "\(message)")
                #expect(snapshot.failedBiometricAttempts == 0 && snapshot.biometrics == .enabled, "\(message)")
                #expect(snapshot.slots.count == 2, "\(message)")
                try await machine.requireWhole(after: again, message)
                #expect(try machine.itemCount() == files && machine.counterCount() == counters, "\(message)")
                cut += Self.parts
            }
            #expect(refused > 1 && cut > 3 * Self.parts)
        }

        private func enter(_ way: Way, _ vault: Vault, _ machine: TestMachine) async throws {
            switch way {
            case .pin: try await machine.enter(into: vault)
            case .wrongPIN: try await machine.enter("another wrong secret", into: vault)
            case .finger: try await machine.lay(onto: vault)
            }
        }

        /// How an unlock may end.
        private static func honest(_ way: Way, _ isCut: Bool) -> [ErrorCode?] {
            let whole: ErrorCode? = way == .wrongPIN ? .strongFactorRefused : nil
            return isCut ? [.storageUnavailable, whole] : [whole]
        }

        /// What may stand on the record afterwards, where one wrong PIN stood before.
        ///
        /// A row that is one ahead of its counter is a crash, and counts; an attempt that was recorded whole is given back.
        private static func counts(_ way: Way, _ code: ErrorCode?, _ isRecorded: Bool) -> [UInt32] {
            switch (way, code) {
            case (.pin, nil): [0]
            case (.finger, _): [1]
            case (.wrongPIN, .strongFactorRefused?): [2]
            default: isRecorded ? [1] : [1, 2]
            }
        }

        /// Whether a conversation was begun after the one that moved the anchor: `CreatePrimary` after `NV_Extend`.
        private static func isRecorded(_ codes: [UInt32]) -> Bool {
            guard let raised = codes.lastIndex(of: 0x136) else { return false }
            return codes[raised...].contains(0x131)
        }
    }
}

extension TestMachine {
    /// How many files the store has.
    func itemCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: items).count
    }

    /// How many counters the TPM has in the owner's range.
    func counterCount() throws -> Int { try proxy.counterCount() }
}
