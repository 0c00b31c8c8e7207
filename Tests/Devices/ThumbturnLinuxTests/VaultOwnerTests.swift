import Foundation
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

extension OnTheStack {
    /// A vault on a TPM whose owner hierarchy has a password, or whose memory is full.
    @Suite(.enabled(if: SoftwareTPM.isThere))
    struct VaultOwnerTests {
        @Test(arguments: [false, true])
        func `no vault is made there, nothing of it is left, and one is made once the password is gone`(
            hasStorageKey: Bool
        ) async throws {
            let machine = try await TestMachine(.tpm)
            if hasStorageKey { try machine.tpm.makePersistentKey() }
            try machine.tpm.setOwnerPassword("owner")
            let device = try await machine.device()
            let refusal = await code { _ = try await machine.makeVault(on: device) }
            #expect(refusal == .storageUnavailable)
            let items = try FileManager.default.contentsOfDirectory(atPath: machine.items)
            #expect(items.filter { $0.hasPrefix("thumbturn.") } == [])
            #expect(try machine.counterCount() == 0)
            try machine.tpm.setOwnerPassword("", insteadOf: "owner")
            try await machine.requireWhole(after: try await machine.makeVault(on: device))
        }

        @Test func `where others took all memory for counters no vault is made, and one is made once some is free`()
            async throws
        {
            let machine = try await TestMachine(.tpm)
            let taken = try machine.tpm.fillMemory()
            let device = try await machine.device()
            let refusal = await code { _ = try await machine.makeVault(on: device) }
            #expect(refusal == .storageUnavailable)
            let items = try FileManager.default.contentsOfDirectory(atPath: machine.items)
            #expect(items.filter { $0.hasPrefix("thumbturn.") } == [])
            for index in taken { try machine.tpm.undefine(index) }
            #expect(try machine.counterCount() == 0)
            try await machine.requireWhole(after: try await machine.makeVault(on: device))
        }

        @Test func `a vault from before the password opens by the storage key in its place`() async throws {
            let machine = try await TestMachine(.tpm)
            let vault = try await machine.makeVault(on: try await machine.device())
            try machine.tpm.makePersistentKey()
            try machine.tpm.setOwnerPassword("owner")
            await vault.lock()
            try await machine.lay(onto: vault)
            #expect(await code { try await machine.enter("a wrong secret", into: vault) } == .strongFactorRefused)
            try await machine.requireWhole(after: vault)
        }

        @Test func `without that key it waits for its owner's TPM: nothing is lost or taken away`() async throws {
            let machine = try await TestMachine(.tpm)
            let vault = try await machine.makeVault(on: try await machine.device())
            await vault.lock()
            let (files, counters) = (try machine.itemCount(), try machine.counterCount())
            try machine.tpm.setOwnerPassword("owner")
            for _ in 1...2 {
                #expect(await code { try await machine.enter(into: vault) } == .storageUnavailable)
                #expect(await code { try await machine.lay(onto: vault) } == .storageUnavailable)
            }
            #expect(await code { _ = try await machine.open() } == .storageUnavailable)
            #expect(try machine.itemCount() == files && machine.counterCount() == counters)
            try machine.tpm.setOwnerPassword("", insteadOf: "owner")
            try await machine.requireWhole(after: vault)
        }
    }
}
