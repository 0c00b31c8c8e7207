import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

@Suite struct VaultBiometricsTests {
    @Test(.holds("B-04", "B-07", "F-107-02")) func `enabling stores one secret, logs, and opens`() async throws {
        let made = try await TestVault.make()
        #expect(try await made.look().biometrics == .disabled)
        try await made.vault.enableBiometrics(made.consent, with: SecretBytes(text: TestVault.pin))
        let snapshot = try await made.look()
        #expect(snapshot.biometrics == .enabled)
        #expect(made.log.count(.biometricEnabled) == 1 && made.simulated.promptsShown == 0)
        await made.vault.lock()
        try await made.touch()
        #expect(await made.isOpen)
    }

    @Test(.holds("F-107-02")) func `enabling clears the failures of the finger that was there before`() async throws {
        var policy = TestVault.policy
        policy.requiresSecretToDisable = false
        let made = try await TestVault.make(policy: policy, biometrics: true)
        // The PIN is given before the fingers fail, since it would clear what they left.
        let authorization = Held(try await made.strong())
        for _ in 1...2 { #expect(await refusal { try await made.touch(.mismatch) } == .biometricsNotRecognised) }
        try await made.vault.disableBiometrics(nil)
        #expect(try await made.look().failedBiometricAttempts == 2)
        #expect(await made.enable(made.consent, try authorization.take()) == nil)
        #expect(try await made.look().failedBiometricAttempts == 0)
        // One more is the first again, and asks for no PIN.
        await made.vault.lock()
        #expect(await refusal { try await made.touch(.mismatch) } == .biometricsNotRecognised)
        try await made.touch()
    }

    @Test(.holds("F-107-02")) func `a wrong PIN given to enable is ERR-107-010, and enables nothing`() async throws {
        let made = try await TestVault.make()
        let code = await refusal {
            try await made.vault.enableBiometrics(made.consent, with: SecretBytes(text: "730000"))
        }
        #expect(code == .wrongSecretForEnabling && code?.text == "ERR-107-010")
        let snapshot = try await made.look()
        #expect(snapshot.biometrics == .disabled && snapshot.failedAttempts == 1)
    }

    @Test(.holds("F-107-02")) func `consent from the future is none`() async throws {
        let made = try await TestVault.make()
        let later = made.consent
        try made.simulated.simulate(.clock(.hours(-1)))
        // The PIN is given after the clock was set, so that nothing else is wrong.
        #expect(await made.enable(later, try await made.strong()) == .consentMissing)
        #expect(try await made.look().biometrics == .disabled)
        #expect(await made.enable(made.consent, try await made.strong()) == nil)
    }

    @Test(.holds("F-107-02")) func `consent ends after five minutes, and with the boot in which it was given`()
        async throws
    {
        let made = try await TestVault.make()
        let consent = made.consent
        try made.advance(.minutes(5) + Milliseconds(1))
        #expect(await made.enable(consent, try await made.strong()) == .consentMissing)
        let second = made.consent
        try made.simulated.simulate(.reboot)
        #expect(await made.enable(second, try await made.strong()) == .consentMissing)
        #expect(try await made.look().biometrics == .disabled)
        let third = made.consent
        try made.advance(.minutes(5))
        #expect(await made.enable(third, try await made.strong()) == nil)
    }

    @Test(.holds("B-07")) func `enabling what is enabled is refused and changes nothing`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let slot = try made.slot(.biometric)
        #expect(await refusal { try await made.enableBiometrics() } == .biometricsAlreadyEnabled)
        #expect(try made.slot(.biometric) == slot)
    }

    @Test(.holds("B-07", "ERR-107-020"), arguments: [false, true])
    func `a device that fails at any step of enabling leaves biometrics off and nothing behind`(
        afterEffect: Bool
    ) async throws {
        var met: Set<ErrorCode?> = []
        var step = 0
        while true {
            step += 1
            let made = try await TestVault.make()
            let authorization = try await made.strong()
            let calls = CallNumber(step)
            made.simulated.interceptor = { call throws(DeviceRefusal) in
                guard calls.isReached(by: call) else { return .proceed }
                if afterEffect { return .failAfterEffect(.unavailable) }
                throw .unavailable
            }
            let code = await made.enable(made.consent, authorization)
            made.simulated.interceptor = nil
            guard let failed = calls.reached else { break }
            #expect(code == Self.code(failingAt: failed), "step \(step), \(failed)")
            let snapshot = try await made.restarted().look()
            #expect(snapshot.biometrics == (code == nil ? .enabled : .disabled), "step \(step), \(failed)")
            #expect(try made.contents().leftovers.isEmpty, "step \(step), \(failed)")
            met.insert(code)
        }
        #expect(met == [.biometricsUnavailable, .storageUnavailable, .biometricsNotStored, nil])
    }

    @Test(.holds("B-07"))
    func `the key of a slot that never came is deleted at once, not at the next look`() async throws {
        let made = try await TestVault.make()
        let authorization = try await made.strong()
        let items = try made.simulated.itemNames()
        let isStored = Counter()
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            if case .save = call { _ = isStored.next() }
            // After the key was stored, and before the slot was.
            if call == .installation, isStored.count > 0 { throw .unavailable }
            return .proceed
        }
        #expect(await made.enable(made.consent, authorization) == .storageUnavailable)
        made.simulated.interceptor = nil
        #expect(isStored.count > 0)
        #expect(try made.simulated.itemNames() == items)
        #expect(try made.contents().leftovers.isEmpty)
    }

    /// What a device that fails at a call makes of enabling; nil once the change stands.
    private static func code(failingAt call: SimulatedCall) -> ErrorCode? {
        switch call {
        case .capability: .biometricsUnavailable
        case .save, .describe: .biometricsNotStored
        case .anchorPosition, .installation, .evaluate, .read, .prompt, .makeDeviceSecret: .storageUnavailable
        case .makeDeviceKey, .devicePublicKey, .sign: .storageUnavailable
        case .anchorMove, .anchorRemove, .delete: nil
        }
    }

    @Test(.holds("B-08", "F-107-03")) func `disabling deletes slot and item and leaves wallets alone`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let wallet = try await made.add("Savings")
        let item = try #require(try made.slot(.biometric).item)
        try await made.vault.disableBiometrics(try await made.strong())
        #expect(try made.slots().map(\.kind) == [.localSecret])
        #expect(try await made.simulated.describe(item) == nil)
        #expect(try await made.secret(of: wallet.id) == "a secret of many words")
        #expect(made.log.count(.biometricDisabled) == 1)
        try await made.vault.disableBiometrics(try await made.strong())
        #expect(made.log.count(.biometricDisabled) == 1, "what is off is off")
    }

    @Test(
        .holds("B-08"),
        arguments: [
            [SimulatedEvent.lockout], [.unenroll], [.sensor(.none)], [.enroll], [.permissionDenied], [.passcodeOff],
        ]
    )
    func `disabling works in every state, with no prompt and no read of the key`(
        events: [SimulatedEvent]
    ) async throws {
        let made = try await TestVault.make(biometrics: true)
        for event in events { try made.simulated.simulate(event) }
        let reads = Counter()
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            if case .read = call { _ = reads.next() }
            return .proceed
        }
        try await made.vault.disableBiometrics(try await made.strong())
        #expect(try await made.look().biometrics == .disabled)
        #expect(made.simulated.promptsShown == 0 && reads.count == 0)
    }

    @Test(.holds("F-107-03", "ERR-107-021"))
    func `what could not be deleted is off at once and purged at the next start`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let item = try #require(try made.slot(.biometric).item)
        try made.simulated.simulate(.fault(.deleteFails))
        let code = await refusal { try await made.vault.disableBiometrics(try await made.strong()) }
        #expect(code == .biometricsNotPurged)
        #expect(made.log.tolerated == [.storageUnavailable])
        #expect(await made.vault.snapshot.biometrics == .disabled)
        #expect(try await made.simulated.describe(item) != nil)
        #expect(await made.secretOpensNothing())
        let again = try await made.restarted()
        #expect(try await made.simulated.describe(item) == nil)
        #expect(try again.contents().leftovers.isEmpty)
    }

    @Test(.holds("C5")) func `the policy says whether disabling asks for the PIN`() async throws {
        let strict = try await TestVault.make(biometrics: true)
        #expect(await refusal { try await strict.vault.disableBiometrics(nil) } == .authorizationExpired)
        #expect(try await strict.look().biometrics == .enabled)
        var policy = TestVault.policy
        policy.requiresSecretToDisable = false
        let lenient = try await TestVault.make(policy: policy, biometrics: true)
        try await lenient.vault.disableBiometrics(nil)
        #expect(try await lenient.look().biometrics == .disabled)
        try await strict.vault.disableBiometrics(try await strict.strong())
        #expect(try await strict.look().biometrics == .disabled)
    }

    /// A locked vault whose policy asks for no secret to turn biometrics off.
    private func lenient() async throws -> TestVault {
        var policy = TestVault.policy
        policy.requiresSecretToDisable = false
        let made = try await TestVault.make(policy: policy, biometrics: true)
        await made.vault.lock()
        return made
    }

    @Test(.holds("B-08", "C5", "F-107-03"))
    func `a locked vault ends its finger at once where its policy asks for no secret, and says why`() async throws {
        let made = try await lenient()
        let item = try #require(try made.slot(.biometric).item)
        let reads = Counter()
        made.simulated.interceptor = { call throws(DeviceRefusal) in
            if case .read = call { _ = reads.next() }
            return .proceed
        }
        try await made.vault.disableBiometrics(nil, reason: "lent-the-phone")
        #expect(made.simulated.promptsShown == 0 && reads.count == 0)
        #expect(try await made.simulated.describe(item) == nil)
        #expect(made.log.events.last { $0.kind == .biometricDisabled }?.reason == "lent-the-phone")
        try await made.vault.disableBiometrics(nil)
        #expect(made.log.count(.biometricDisabled) == 1, "what is off is off")
        let again = try await made.restarted()
        for vault in [made.vault, again.vault] { #expect(await vault.snapshot.biometrics == .disabled) }
        #expect(await again.vault.snapshot.decision == .requireStrongFactor(.biometricsDisabled))
        #expect(await refusal { try await again.touch() } != nil)
        try await again.enableBiometrics()
        #expect(try again.slots().count == 2)
        await again.vault.lock()
        try await again.touch()
        await again.vault.lock()
        try await again.vault.disableBiometrics(nil)
        try await again.strong()
        #expect(try again.slots().map(\.kind) == [.localSecret])
    }

    @Test(.holds("F-107-03", "ERR-107-021"))
    func `what a locked vault could not delete is off at once and purged at the next start`() async throws {
        let made = try await lenient()
        let item = try #require(try made.slot(.biometric).item)
        try made.simulated.simulate(.fault(.deleteFails))
        #expect(await refusal { try await made.vault.disableBiometrics(nil) } == .biometricsNotPurged)
        #expect(await made.vault.snapshot.biometrics == .disabled)
        #expect(try await made.simulated.describe(item) != nil)
        _ = try await made.restarted()
        #expect(try await made.simulated.describe(item) == nil)
    }

    @Test(.holds("C5", "A51"))
    func `a locked vault goes by its own policy, and by no head that somebody edited`() async throws {
        let made = try await TestVault.make(biometrics: true)
        let item = try #require(try made.slot(.biometric).item)
        await made.vault.lock()
        #expect(await refusal { try await made.vault.disableBiometrics(nil) } == .authorizationExpired)
        await made.vault.close()
        try made.tamper { store in
            let stored = try #require(try store.contents().head)
            var head = try Head(parsing: stored.body)
            head.policy.requiresSecretToDisable = false
            try store.setHead(VaultStore.TaggedRow(body: head.bytes, mac: stored.mac))
        }
        let again = try await made.reopened()
        #expect(await refusal { try await again.vault.disableBiometrics(nil) } == .locked)
        #expect(try await made.simulated.describe(item) != nil)
    }

    @Test(.holds("A25")) func `a forged slot that names the PIN's secret has nothing else deleted`() async throws {
        let made = try await lenient()
        await made.vault.close()
        let secret = try #require(try made.slot(.localSecret).item)
        try made.tamper { store in
            let forged = try made.slots().map { slot in
                guard slot.kind == .biometric else { return slot }
                var forged = SlotRecord(
                    vault: slot.vault,
                    id: slot.id,
                    kind: slot.kind,
                    device: slot.device,
                    key: slot.key,
                    generation: slot.generation,
                    item: secret,
                    policyEpoch: slot.policyEpoch,
                    createdAt: slot.createdAt
                )
                forged.box = slot.box
                return forged
            }
            try store.setSlots(forged)
        }
        let again = try await made.reopened()
        let code = await refusal { try await again.vault.disableBiometrics(nil) }
        #expect(code == .biometricsNotPurged)
        _ = try await again.restarted()
        #expect(try await made.simulated.describe(secret) != nil, "the PIN opens still")
    }

    @Test(.holds("A7", "B-08")) func `an older head from before the finger does not say that it is off`() async throws {
        var policy = TestVault.policy
        policy.requiresSecretToDisable = false
        let made = try await TestVault.make(policy: policy)
        let older = try #require(try made.contents().head)
        try await made.enableBiometrics()
        await made.vault.close()
        try made.tamper { try $0.setHead(VaultStore.TaggedRow(body: older.body, mac: older.mac)) }
        let again = try await made.reopened()
        #expect(await refusal { try await again.vault.disableBiometrics(nil) } == .locked)
    }

    @Test(.holds("K-10"), arguments: [false, true])
    func `no finger goes that is the last way in: the secret of the PIN is gone`(hasRecoveryKey: Bool) async throws {
        let made = try await lenient()
        if hasRecoveryKey { _ = try await made.makeRecoveryKey() }
        try await made.touch()
        let item = try #require(try made.slot(.biometric).item)
        try await made.simulated.delete(#require(try made.slot(.localSecret).item))
        let code = await refusal { try await made.vault.disableBiometrics(nil) }
        #expect(code == (hasRecoveryKey ? nil : .keyMissing))
        #expect((try await made.simulated.describe(item) == nil) == hasRecoveryKey)
    }

    @Test(.holds("B-01", "F-107-01", "C9")) func `the snapshot follows the sensor at each return to the foreground`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let story: [(SimulatedEvent, BiometricCapability.Reason?)] = [
            (.lockout, .lockedOut), (.passcode, nil), (.permissionDenied, .permissionDenied),
            (.permissionGranted, nil), (.passcodeOff, .noPasscode), (.passcodeOn, nil), (.unenroll, .notEnrolled),
        ]
        for (event, reason) in story {
            try made.simulated.simulate(event)
            try await made.vault.enterForeground()
            let capability = await made.vault.snapshot.capability
            #expect(capability.reasonIfUnavailable == reason && capability.supported)
        }
        try made.simulated.simulate(.sensor(.none))
        try await made.vault.enterForeground()
        let snapshot = await made.vault.snapshot
        #expect(!snapshot.capability.supported && !snapshot.capability.available && !snapshot.capability.enrolled)
        #expect(snapshot.capability.biometryType == .none)
    }

    @Test(
        .holds("B-09", "ERR-107-001"),
        arguments: [
            ([SimulatedEvent.sensor(.none)], ErrorCode.biometricsUnavailable), ([.unenroll], .biometricsUnavailable),
            ([.lockout], .biometricsUnavailable), ([.permissionDenied], .biometricsUnavailable),
        ]
    )
    func `where the sensor can't be used enabling is refused and the PIN goes on`(
        events: [SimulatedEvent],
        code: ErrorCode
    ) async throws {
        let made = try await TestVault.make()
        for event in events { try made.simulated.simulate(event) }
        #expect(await refusal { try await made.enableBiometrics() } == code && code.text == "ERR-107-001")
        try await made.strong()
        #expect(made.simulated.promptsShown == 0)
    }

    @Test(.holds("B-06", "C14"))
    func `below the policy's least assurance biometrics can't be enabled, and every slot says what it got`()
        async throws
    {
        let simulated = SimulatedDevice()
        let keychain = WatchedDevice(simulated, worth: { .osKeychain }) { _ in }.device
        let made = try await TestVault.make(policy: .wallet, on: simulated, seenAs: keychain)
        #expect(await refusal { try await made.enableBiometrics() } == .assuranceTooLow)
        #expect(try await made.look().slots.map(\.assurance) == [.osKeychain])
    }

    @Test(.holds("INV-107-07", "F-107-07"))
    func `a changed set revokes, purges, asks for the PIN, and stays off until enabled by hand`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let item = try #require(try made.slot(.biometric).item)
        await made.vault.lock()
        try made.simulated.simulate(.enroll)
        #expect(await refusal { try await made.touch() } == .biometricsChanged)
        #expect(ErrorCode.biometricsChanged.text == "ERR-107-060")
        var snapshot = try await made.look()
        #expect(snapshot.biometrics == .revoked(.biometricsChanged) && snapshot.appUnlockState == .revoked)
        #expect(made.log.count(.biometricRevokedBySystemChange) == 1)
        try await made.strong()
        snapshot = try await made.look()
        #expect(snapshot.biometrics == .disabled && snapshot.slots.map(\.kind) == [.localSecret])
        #expect(try await made.simulated.describe(item) == nil)
        await made.vault.lock()
        #expect(await refusal { try await made.touch() } == .strongFactorRequired)
        try await made.enableBiometrics()
        await made.vault.lock()
        try await made.touch()
    }

    @Test(.holds("INV-107-07")) func `a key that the device lost is found at a look, and nobody is prompted for it`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        try await made.simulated.delete(try #require(try made.slot(.biometric).item))
        #expect(try await made.look().biometrics == .revoked(.biometricsChanged))
        #expect(made.log.count(.biometricRevokedBySystemChange) == 1)
        await made.vault.lock()
        #expect(await refusal { try await made.touch() } == .biometricsChanged)
        #expect(made.simulated.promptsShown == 0)
    }

    @Test(.holds("C16"))
    func `what can't be told apart demands at once and deletes nothing before the next strong unlock`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true)
        let item = try #require(try made.slot(.biometric).item)
        await made.vault.lock()
        try made.simulated.simulate(.fault(.unclassified))
        #expect(await refusal { try await made.touch() } == .biometricsChanged)
        #expect(try await made.simulated.describe(item) != nil)
        #expect(await refusal { try await made.touch() } == .biometricsChanged, "and nobody is prompted again")
        try await made.strong()
        #expect(try await made.simulated.describe(item) == nil)
    }

    @Test(.holds("C16")) func `a store that can't be read is no revocation`() async throws {
        let made = try await TestVault.make(biometrics: true)
        await made.vault.lock()
        try made.simulated.simulate(.lockDevice)
        #expect(await refusal { try await made.touch() } == .storageUnavailable)
        try made.simulated.simulate(.unlockDevice)
        try await made.vault.unlockWithBiometrics(TestVault.words)
        #expect(made.simulated.counts.deletes == 0)
    }

    @Test(.holds("F-107-09")) func `another installation revokes, with its reason`() async throws {
        let made = try await TestVault.make(biometrics: true)
        try made.simulated.simulate(.reinstall)
        let again = try await made.restarted()
        #expect(await again.vault.snapshot.biometrics == .revoked(.reinstalled))
        #expect(again.log.events.map(\.reason) == ["reinstalled"] && again.log.kinds == [.biometricDisabled])
        #expect(await refusal { try await again.touch() } == .strongFactorRequired)
        try await again.strong()
        #expect(try await again.look().biometrics == .disabled)
        try await again.enableBiometrics()
        await again.vault.lock()
        try await again.vault.unlockWithBiometrics(TestVault.words)
    }

    @Test(.holds("F-107-09")) func `a server that was not heard for too long revokes, with its reason`() async throws {
        var policy = TestVault.policy
        policy.maxOfflineAge = .days(7)
        let made = try await TestVault.make(policy: policy, biometrics: true)
        await made.vault.lock()
        #expect(await refusal { try await made.touch() } == .securityEventMissing)
        #expect(await made.vault.snapshot.biometrics == .revoked(.serverWordMissing))
        #expect(made.log.events.contains { $0.kind == .biometricDisabled && $0.reason == "serverWordMissing" })
        try await made.strong()
        #expect(try await made.look().biometrics == .disabled)
    }

    @Test(.holds("C8")) func `each state has its views`() async throws {
        let made = try await TestVault.make(biometrics: true)
        #expect(await made.vault.snapshot.appUnlockState == .unlocked)
        await made.vault.lock()
        #expect(await made.vault.snapshot.appUnlockState == .locked)
        _ = await refusal { try await made.touch(.mismatch) }
        #expect(await made.vault.snapshot.appUnlockState == .promptingBiometric)
        _ = await refusal { try await made.touch(.cancel) }
        #expect(await made.vault.snapshot.appUnlockState == .requirePassword)
    }
}

extension TestVault {
    func enable(_ consent: BiometricConsent, _ authorization: consuming StrongAuthorization) async -> ErrorCode? {
        do {
            try await vault.enableBiometrics(consent, authorization)
            return nil
        } catch {
            return error.code
        }
    }

    /// Whether the finger opens nothing.
    func secretOpensNothing() async -> Bool {
        await vault.lock()
        let code = await refusal { try await touch() }
        return code != nil
    }
}

/// Notes the call with a given number, counted from 1.
private final class CallNumber: @unchecked Sendable {
    // Safe to share: `counter` has a lock of its own, and the device makes one call after the other.
    private let number: Int
    private let counter = Counter()
    private(set) var reached: SimulatedCall?

    init(_ number: Int) { self.number = number }

    func isReached(by call: SimulatedCall) -> Bool {
        guard counter.next() == number else { return false }
        reached = call
        return true
    }
}
