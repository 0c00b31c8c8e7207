#if os(Linux)
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// How often the slow derivation runs, which is what a guess costs whoever makes it: counted where libsodium is called.
@Suite struct DerivationTests {
    @Test(.holds("A2")) func `one guess is one slow derivation, and a refused one none`() async throws {
        let made = try await TestVault.make()
        let salt = try made.slot(.localSecret).salt
        #expect(Derivations.count(under: salt) == 1, "the one that made the slot")
        await made.vault.lock()
        var guesses = 0
        for number in 1...9 {
            let before = Derivations.count(under: salt)
            let isAnswered = await refusal { try await made.guess(number) } == .strongFactorRefused
            #expect(Derivations.count(under: salt) - before == (isAnswered ? 1 : 0), "guess \(number)")
            if isAnswered { guesses += 1 }
        }
        #expect(guesses == 4 && made.log.count(.passwordFailure) == 4)
        try made.waitADay()
        try await made.strong()
        #expect(Derivations.count(under: salt) == 6)
    }

    @Test(.holds("A2")) func `a finger and a recovery key take none`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        let salts = try made.slots().map(\.salt)
        await made.vault.lock()
        let before = salts.map(Derivations.count)
        try await made.touch()
        await made.vault.lock()
        _ = try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
        #expect(salts.map(Derivations.count) == before && before.sorted().first == 0)
    }

    @Test(.holds("A13")) func `a hundred tasks that guess at once get four derivations between them`() async throws {
        let made = try await TestVault.make()
        let salt = try made.slot(.localSecret).salt
        await made.vault.lock()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<100 { group.addTask { _ = await refusal { try await made.guess(number) } } }
        }
        #expect(Derivations.count(under: salt) == 1 + 4)
    }

    @Test(.holds("A4", "A5")) func `a cost that is too low or too high is refused before the derivation runs`()
        async throws
    {
        let costs: [(UInt32, UInt32, ErrorCode)] = [
            (7, 1, .vaultDamaged), (8, 0, .vaultDamaged), (262_145, 1, .costTooHigh), (8, 11, .costTooHigh),
        ]
        for (memoryKiB, passes, code) in costs {
            let made = try await TestVault.make()
            let slot = try made.slot(.localSecret)
            try made.replace(slot, with: slot.asking(memoryKiB: memoryKiB, passes: passes))
            await made.vault.lock()
            #expect(await refusal { try await made.strong() } == code)
            #expect(Derivations.count(under: slot.salt) == 1, "\(memoryKiB) KiB, \(passes) passes")
        }
    }

    @Test(.holds("A10", "A19"), arguments: [SimulatedFault.anchorMoveFails, .anchorReadFails])
    func `an attempt that can't be counted derives nothing`(fault: SimulatedFault) async throws {
        let made = try await TestVault.make()
        let salt = try made.slot(.localSecret).salt
        await made.vault.lock()
        for number in 1...6 {
            try made.simulated.simulate(.fault(fault))
            #expect(await refusal { try await made.guess(number) } == .storageUnavailable)
        }
        #expect(Derivations.count(under: salt) == 1)
    }
}
#endif
