import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// A device says of what it keeps that it is there, and not whole.
@Suite struct DamagedDeviceTests {
    @Test(.holds("A25"))
    func `whatever a device calls damaged at any read at the start, nothing is minted, deleted or opened for that`()
        async throws
    {
        for step in 1...11 {
            let made = try await TestVault.make(biometrics: true)
            let key = try await made.makeRecoveryKey()
            await made.vault.close()
            let before = made.simulated.counts
            let calls = Counter()
            made.simulated.interceptor = { _ throws(DeviceRefusal) in
                if calls.next() >= step { throw .damaged }
                return .proceed
            }
            let code = await refusal {
                let again = try await made.reopened()
                _ = await refusal { try await again.strong() }
                _ = await refusal { try await again.touch() }
                #expect(await !again.vault.holdsKey, "at \(step)")
                await again.vault.close()
            }
            made.simulated.interceptor = nil
            #expect(code == nil || code == .storageUnavailable, "at \(step): \(code?.text ?? "")")
            let after = made.simulated.counts
            #expect(after.saves == before.saves && after.deletes == before.deletes, "at \(step)")
            _ = try await made.reopened().vault.unlock(withRecoveryKey: SecretBytes(text: key))
        }
    }

    @Test(.holds("A25", "A61")) func `what is damaged goes with a reset, and with a recovery once that has committed`()
        async throws
    {
        for resets in [true, false] {
            let made = try await TestVault.make(biometrics: true)
            let key = try await made.makeRecoveryKey()
            await made.vault.close()
            let former = try made.simulated.itemNamesBesideTrail()
            let damaged = Set(former)
            made.simulated.interceptor = { call throws(DeviceRefusal) in
                switch call {
                case .describe(let name), .evaluate(let name), .read(let name):
                    if damaged.contains(name.text) { throw .damaged }
                default: break
                }
                return .proceed
            }
            let again = try await made.reopened()
            #expect(await again.vault.snapshot.condition == .keyMissing)
            #expect(try again.simulated.itemNamesBesideTrail() == former)
            if resets {
                try await again.vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
                #expect(try again.simulated.itemNamesBesideTrail().isEmpty)
            } else {
                try await again.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "905148"))
                #expect(try damaged.isDisjoint(with: again.simulated.itemNamesBesideTrail()))
                #expect(try !again.simulated.itemNames().isEmpty)
            }
            await again.vault.close()
        }
    }

    @Test(.holds("A25", "A61")) func `a reset over what is damaged that is cut off anywhere is completed by another`()
        async throws
    {
        let confirmation = try ResetConfirmation(typed: ResetConfirmation.phrase)
        var step = 1
        while true {
            let made = try await TestVault.make(biometrics: true)
            try await made.add("Savings")
            await made.vault.close()
            let (disk, damaged) = (FaultyDisk(), DamagedItems(try made.simulated.itemNames()))
            made.simulated.interceptor = { call throws(DeviceRefusal) in
                switch disk.countForeignOperation("\(call)") {
                case .proceed: return try damaged.answer(call)
                case .failAfterEffect: return .failAfterEffect(.unavailable)
                case .fail, .dead: throw .unavailable
                }
            }
            var configuration = TestVault.configuration()
            configuration.vfs = disk.vfsName
            let vault = try await Vault.open(in: made.path, device: made.device, configuration: configuration)
            disk.arm(.kill(at: step))
            _ = await refusal { try await vault.reset(confirmation) }
            let wasCut = disk.didStop
            disk.die()
            await vault.close()
            disk.settle()

            made.simulated.interceptor = { call throws(DeviceRefusal) in try damaged.answer(call) }
            let code = await refusal {
                let again = try await made.reopened()
                _ = await refusal { try await again.strong() }
                try await again.vault.reset(confirmation)
                await again.vault.close()
            }
            #expect(code == nil || code == .vaultMissing, "at \(step): \(code?.text ?? "")")
            #expect(try made.simulated.itemNamesBesideTrail().isEmpty, "at \(step)")
            #expect(await refusal { try await made.reopened() } == .vaultMissing, "at \(step)")
            guard wasCut else { return #expect(step > 10) }
            step += 1
        }
    }
}

/// Items that a device has and calls damaged, until it is told to delete them.
private final class DamagedItems: @unchecked Sendable {
    // Safe to share: `lock` guards the names.
    private let lock = NSLock()
    private var names: Set<String>

    init(_ names: [String]) { self.names = Set(names) }

    func answer(_ call: SimulatedCall) throws(DeviceRefusal) -> Interception {
        let isDamaged = lock.withLock {
            switch call {
            case .delete(let name):
                names.remove(name.text)
                return false
            case .describe(let name), .evaluate(let name), .read(let name): return names.contains(name.text)
            default: return false
            }
        }
        if isDamaged { throw .damaged }
        return .proceed
    }
}
