import Synchronization
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody, or something, makes the device fail.
@Suite struct FaultTests {
    /// Each way in, with what the device is asked on it.
    enum Way: CaseIterable {
        case pin, finger, recoveryKey
    }

    @Test(.holds("A19"), arguments: Way.allCases)
    func `a device that fails at any call of an unlock is a typed error, no guess, no key, and no loss`(way: Way)
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        var step = 1
        var failed = 0
        while true {
            for afterEffect in [false, true] {
                let again = try await made.reopened()
                let calls = Counter()
                made.simulated.interceptor = { [step] _ throws(DeviceRefusal) in
                    guard calls.next() == step else { return .proceed }
                    if afterEffect { return .failAfterEffect(.unavailable) }
                    throw .unavailable
                }
                let code = await refusal { try await again.enter(by: way, key) }
                made.simulated.interceptor = nil
                if let code {
                    failed += 1
                    #expect(Self.honest.contains(code), "\(way) at \(step): \(code.text)")
                    #expect(await !again.vault.holdsKey, "\(way) at \(step)")
                    #expect(await again.state != .unlocked(.full), "\(way) at \(step)")
                } else if calls.count < step {
                    return #expect(failed > 3 && step > 3)
                }
                let snapshot = try await made.look()
                #expect(snapshot.failedAttempts == 0, "\(way) at \(step)")
                #expect(snapshot.failedBiometricAttempts == 0, "\(way) at \(step)")
                #expect(snapshot.biometrics == .enabled && snapshot.slots.count == 3, "\(way) at \(step)")
                try await again.enter(by: way, key)
                #expect(await again.isOpen)
                await again.vault.close()
            }
            step += 1
        }
    }

    private static let honest: [ErrorCode] = [.storageUnavailable, .biometricsUnavailable]

    @Test(.holds("A19")) func `where an attempt can't be recorded there is no attempt`() async throws {
        let made = try await TestVault.make()
        await made.vault.lock()
        for number in 1...20 {
            try made.simulated.simulate(.fault(.anchorMoveFails))
            #expect(await refusal { try await made.guess(number) } == .storageUnavailable)
        }
        #expect(made.log.count(.passwordFailure) == 0)
        try await made.strong()
    }

    @Test(.holds("A19")) func `a PIN that was right is no wrong one because the device failed afterwards`() async throws
    {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.enroll)
        _ = try await made.look()
        // The strong unlock folds the revocation into the head, for which it asks the device once more.
        for _ in 1...6 {
            try made.simulated.simulate(.fault(.installationFails))
            #expect(await refusal { try await made.strong() } == .storageUnavailable)
            await made.vault.lock()
        }
        #expect(try await made.look().failedAttempts == 0)
        try await made.strong()
    }

    @Test(.holds("A25"), arguments: [SimulatedFault.prewarm, .evaluateFails, .anchorReadFails, .installationFails])
    func `a store that can't be read at the start is no new vault, no missing key and no lost finger`(
        fault: SimulatedFault
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.close()
        let before = made.simulated.counts
        try made.simulated.simulate(.fault(fault))
        #expect(await refusal { try await made.reopened() } == .storageUnavailable)
        let after = made.simulated.counts
        #expect(after.saves == before.saves && after.deletes == before.deletes)
        let again = try await made.reopened()
        #expect(await again.vault.snapshot.biometrics == .enabled && again.log.kinds.isEmpty)
        try await again.touch()
    }

    @Test(.holds("A25")) func `an anchor that is said once to be gone costs no ledger`() async throws {
        let made = try await TestVault.make()
        await made.vault.close()
        let ledger = try made.contents().ledger
        let anchor = ForgetfulAnchor(anchor: made.device.anchor)
        anchor.forgetOnce()
        _ = await refusal { try await made.reopened(seenAs: anchor.placed(on: made.device)).vault.close() }
        #expect(try made.contents().ledger == ledger)
        let again = try await made.reopened()
        #expect(again.log.kinds.isEmpty)
        try await again.strong()
        #expect(await again.isOpen)
    }

    @Test(.holds("A25")) func `an item of which nothing can be said loses no right, and keeps nobody out`() async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let key = try await made.makeRecoveryKey()
        await made.vault.close()
        let item = try #require(made.slot(.biometric).item)
        let before = made.simulated.counts
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            if call == .describe(item) { throw .unavailable }
            return .proceed
        }
        let again = try await made.reopened()
        for way in Way.allCases {
            #expect(await again.vault.snapshot.biometrics == .enabled)
            #expect(again.log.count(.biometricRevokedBySystemChange) == 0)
            try await again.enter(by: way, key)
            #expect(await again.isOpen)
            await again.vault.lock()
        }
        #expect(made.simulated.counts.deletes == before.deletes)
        made.simulated.interceptor = nil
        try await again.touch()
    }

    @Test(.holds("A25"))
    func `a prompt that says once that the finger's key is gone revokes nothing while it is there`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let item = try #require(made.slot(.biometric).item)
        await made.vault.lock()
        let before = made.simulated.counts
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            if case .read(item) = call { throw .absent }
            return .proceed
        }
        #expect(await refusal { try await made.touch() } == .promptCancelled)
        made.simulated.interceptor = nil
        #expect(made.simulated.counts.deletes == before.deletes)
        #expect(made.log.count(.biometricRevokedBySystemChange) == 0)
        try await made.touch()
        #expect(await made.isOpen)
    }

    @Test(
        .holds("A25"),
        arguments: [
            DeviceRefusal.unavailable, .absent, .revoked, .lockedOut, .unclassified, .wrongAuthorisation, .notEnrolled,
            .hardwareMissing, .cancelledBySystem, .weakerThanAsked, .readerFailed(afterMismatch: true),
        ]
    )
    func `whatever a device answers to any read at the start, nothing is minted, deleted or lost`(
        answer: DeviceRefusal
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.close()
        let before = made.simulated.counts
        for step in 1...12 {
            let calls = Counter()
            made.simulated.interceptor = { _ throws(DeviceRefusal) in
                if calls.next() == step { throw answer }
                return .proceed
            }
            let code = await refusal {
                let again = try await made.reopened()
                #expect(await again.vault.snapshot.condition == .ready, "\(answer) at \(step)")
                await again.vault.close()
            }
            made.simulated.interceptor = nil
            #expect(code == nil || code == .storageUnavailable, "\(answer) at \(step): \(code?.text ?? "")")
        }
        let after = made.simulated.counts
        #expect(after.saves == before.saves && after.deletes == before.deletes)
        let again = try await made.reopened()
        try await again.touch()
        try await again.strong()
    }

    @Test(.holds("A25")) func `a device that stays locked is waited for`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.lockDevice)
        for _ in 1...3 {
            #expect(await refusal { try await made.strong() } == .storageUnavailable)
            #expect(await refusal { try await made.touch(.match) } == .storageUnavailable)
        }
        try made.simulated.simulate(.unlockDevice)
        #expect(try await made.look().failedAttempts == 0)
        try await made.strong()
        #expect(made.simulated.counts.deletes == 0)
    }

    @Test(.holds("F-107-03"))
    func `what a failed deletion leaves is purged at the next start, whichever deletion failed`()
        async throws
    {
        for fault in [SimulatedFault.deleteFails, .anchorRemoveFails] {
            let made = try await TestVault.make(biometrics: true)
            let key = try await made.makeRecoveryKey()
            let old = try made.slots().compactMap(\.item)
            try made.simulated.simulate(.fault(fault))
            _ = await refusal {
                try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: "840275"))
            }
            #expect(try !made.contents().leftovers.isEmpty, "\(fault): nothing was left")
            let again = try await made.restarted()
            for item in old { #expect(try await made.simulated.describe(item) == nil) }
            #expect(try again.contents().leftovers.isEmpty)
            try await again.vault.unlock(with: SecretBytes(text: "840275"))
        }
    }
}

/// An anchor that says once that it is not there.
private final class ForgetfulAnchor: Anchor {
    private let anchor: any Anchor
    private let isForgotten = Mutex(false)

    init(anchor: any Anchor) { self.anchor = anchor }

    func placed(on device: Device) -> Device {
        Device(
            kind: device.kind,
            store: device.store,
            prompt: device.prompt,
            anchor: self,
            clock: device.clock,
            installation: device.installation
        )
    }

    func forgetOnce() { isForgotten.withLock { $0 = true } }

    func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        let isForgotten = isForgotten.withLock { isForgotten in
            defer { isForgotten = false }
            return isForgotten
        }
        return isForgotten ? nil : try await anchor.position(for: secret)
    }

    func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await anchor.move(from: former, to: next, for: secret)
    }

    func remove(for secret: ItemName) async throws(DeviceRefusal) { try await anchor.remove(for: secret) }
}

extension TestVault {
    fileprivate func enter(by way: FaultTests.Way, _ key: String) async throws {
        switch way {
        case .pin: try await strong()
        case .finger: try await touch()
        case .recoveryKey: try await unlock(key)
        }
    }
}
