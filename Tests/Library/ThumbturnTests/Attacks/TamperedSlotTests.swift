import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// An editor of the file changes what is stored, and waits for the owner.
@Suite struct TamperedSlotTests {
    @Test(.holds("A4")) func `a lowered cost is refused before anything is computed, and is no guess`() async throws {
        let made = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        try made.replace(slot, with: slot.asking(memoryKiB: 7, passes: 1))
        await made.vault.lock()
        #expect(await refusal { try await made.strong() } == .vaultDamaged)
        #expect(await made.vault.snapshot.failedAttempts == 0)
        #expect(made.log.count(.passwordFailure) == 0)
    }

    @Test(.holds("A4"), arguments: [(8, 1), (19_455, 2), (19_456, 1), (65_536, 0)] as [(UInt32, UInt32)])
    func `below the standard floor a slot is refused`(memoryKiB: UInt32, passes: UInt32) async throws {
        let slot = try await TestVault.make().slot(.localSecret).asking(memoryKiB: memoryKiB, passes: passes)
        #expect(try Self.verdict(on: slot, limits: .standard) == .vaultDamaged)
    }

    @Test(.holds("A4")) func `a cost within the limits that was not the slot's opens nothing`() async throws {
        let made = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        let share = try await made.share(of: slot)
        #expect(try made.opens(slot, pin: TestVault.pin, share: share))
        let edited = try slot.asking(memoryKiB: 16, passes: 1)
        #expect(try !made.opens(edited, pin: TestVault.pin, share: share))
    }

    @Test(.holds("A5")) func `a raised cost is refused at once, before anything is allocated`() async throws {
        let slot = try await TestVault.make().slot(.localSecret)
        var numbers = SeededGenerator(seed: 0xA5)
        var costs: [(UInt32, UInt32)] = [(262_145, 3), (65_536, 11), (.max, .max), (16 << 20, 3), (65_536, 1 << 31)]
        for _ in 0..<200 {
            costs.append((.random(in: 262_145 ... .max, using: &numbers), .random(in: 0 ... .max, using: &numbers)))
        }
        let start = Date()
        for (memoryKiB, passes) in costs {
            let edited = try slot.asking(memoryKiB: memoryKiB, passes: passes)
            #expect(try Self.verdict(on: edited, limits: .standard) == .costTooHigh)
        }
        // One run at the ceiling takes seconds; two hundred refusals take none.
        #expect(Date().timeIntervalSince(start) < 2)
    }

    @Test(.holds("A5"), arguments: [(262_145, 1), (8, 11), (4_194_304, 1)] as [(UInt32, UInt32)])
    func `a vault that asks for too much is named, and is no guess`(memoryKiB: UInt32, passes: UInt32) async throws {
        let made = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        try made.replace(slot, with: slot.asking(memoryKiB: memoryKiB, passes: passes))
        await made.vault.lock()
        for _ in 1...4 { #expect(await refusal { try await made.strong() } == .costTooHigh) }
        let looked = try await made.look()
        #expect(looked.failedAttempts == 0 && looked.nextAttempt == .allowed)
    }

    @Test(.holds("A6")) func `any flipped bit of a slot keeps it shut`() async throws {
        let made = try await TestVault.make()
        let slot = try made.slot(.localSecret)
        let share = try await made.share(of: slot)
        let bytes = try slot.bytes
        try #require(try made.opens(SlotRecord(parsing: bytes), pin: TestVault.pin, share: share))
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 1 << (index % 8)
            guard let edited = try? SlotRecord(parsing: flipped) else { continue }
            let opens = (try? made.opens(edited, pin: TestVault.pin, share: share)) ?? false
            #expect(!opens, "byte \(index)")
        }
    }

    @Test(.holds("A6")) func `no slot opens in the place of another, within a vault or between two`() async throws {
        let one = try await TestVault.make(biometrics: true)
        let two = try await TestVault.make(biometrics: true)
        _ = try await one.makeRecoveryKey()
        _ = try await two.makeRecoveryKey()
        let slots = try one.slots() + two.slots()
        #expect(slots.count == 6)
        for owner in slots where owner.kind == .localSecret {
            let made = owner.vault == slots[0].vault ? one : two
            let share = try await made.share(of: owner)
            for donor in slots where donor.id != owner.id {
                var swapped = owner
                swapped.box = donor.box
                #expect(try !made.opens(swapped, pin: TestVault.pin, share: share))
            }
        }
    }

    @Test(.holds("A6")) func `a slot of another vault opens nothing of this one`() async throws {
        // On one device, which has what the foreign slot needs.
        let one = try await TestVault.make()
        let two = try await TestVault.make(on: one.simulated)
        let wallet = try await one.add("Savings")
        let foreign = try two.slot(.localSecret)
        try one.replace(one.slot(.localSecret), with: foreign)
        await one.vault.lock()
        // No ledger of its own stands beside it.
        #expect(await refusal { try await one.strong() } == .attemptDelayed)
        #expect(await !one.vault.holdsKey)
        // What it opens is the other vault's key, which opens no wallet here and vouches for nothing.
        try one.waitADay()
        try await one.strong()
        #expect(await one.state == .unlocked(.exportOnly))
        #expect(await one.vault.snapshot.isAuthentic == false)
        #expect(try await one.vault.inventory().wallets.isEmpty)
        #expect(await refusal { try await one.export(wallet.id) } == .vaultTampered)
        #expect(await refusal { try await one.add("Another") } == .exportOnly)
    }

    @Test(.holds("A6")) func `swapped labels and secrets are refused, all pairs, between vaults too`() async throws {
        let one = try await TestVault.make()
        let two = try await TestVault.make()
        for made in [one, two] {
            for number in 1...3 { try await made.add("Wallet \(number)", "secret \(number)") }
        }
        let originals = try one.wallets()
        let donors = try originals + two.wallets()
        for original in originals {
            for donor in donors where donor.id != original.id {
                for swapsLabel in [true, false] {
                    var edited = original
                    if swapsLabel { edited.label = donor.label } else { edited.secret = donor.secret }
                    try one.replace(edited)
                    let again = try await one.reopened()
                    try await again.strong()
                    #expect(await refusal { try await again.secret(of: original.id) } == .vaultTampered)
                    #expect(await again.state == .unlocked(.exportOnly))
                    if !swapsLabel {
                        #expect(await refusal { try await again.export(original.id) } == .vaultTampered)
                    }
                    await again.vault.close()
                    try one.replace(original)
                }
            }
        }
        _ = try await one.vault.wallets()
    }

    private static func verdict(on slot: SlotRecord, limits: Argon2Limits) throws -> ErrorCode? {
        do {
            _ = try slot.stretch(SecretBytes(text: TestVault.pin), limits: limits)
            return nil
        } catch {
            return error.code
        }
    }
}
