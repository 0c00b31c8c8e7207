import Foundation
import Testing
import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// A vault on hardware that counts wrong PINs by itself, and ends a finger's key by its own clock, as a TPM does.
@Suite struct HardwareTests {
    private let simulated = SimulatedDevice()
    private let hardware: CountingHardware

    init() {
        hardware = CountingHardware(simulated)
    }

    @Test(.holds("A10")) func `the hardware's word on a wrong PIN counts as a wrong PIN, and the right one opens`()
        async throws
    {
        let made = try await TestVault.make(on: simulated, seenAs: hardware.device)
        await made.vault.lock()
        #expect(await refusal { try await made.guess() } == .strongFactorRefused)
        #expect(hardware.wrongTries == 1)
        #expect(await made.vault.snapshot.failedAttempts == 1)
        try await made.strong()
        #expect(await made.vault.snapshot.failedAttempts == 0)
    }

    @Test(.holds("A19", "A56"))
    func `locked hardware refuses every PIN and counts none; finger and recovery key still open`()
        async throws
    {
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: hardware.device)
        let key = try await made.makeRecoveryKey()
        await made.vault.lock()
        hardware.wrongTries = CountingHardware.limit
        for _ in 0..<5 { #expect(await refusal { try await made.strong() } == .attemptDelayed) }
        #expect(try await made.look().failedAttempts == 0)
        try await made.touch()
        await made.vault.lock()
        try await made.vault.unlock(withRecoveryKey: SecretBytes(text: key))
    }

    @Test(.holds("A3"), arguments: [0, 16, 31, 33])
    func `a device whose part of the key has another size makes no vault`(count: Int) async throws {
        let device = ShortShares(store: simulated.device.store, byteCount: count).device(of: simulated)
        #expect(await refusal { try await TestVault.make(on: simulated, seenAs: device) } == .storageUnavailable)
    }

    @Test(.holds("A22")) func `a new PIN and a recovery each get a part of the hardware of their own`() async throws {
        let made = try await TestVault.make(on: simulated, seenAs: hardware.device)
        let key = try await made.makeRecoveryKey()
        try await made.vault.changeLocalSecret(to: SecretBytes(text: "840275"), try await made.strong())
        await made.vault.lock()
        #expect(await refusal { try await made.strong() } == .strongFactorRefused)
        try await made.vault.unlock(with: SecretBytes(text: "840275"))
        try await made.vault.recover(with: SecretBytes(text: key), newSecret: SecretBytes(text: TestVault.pin))
        let again = try await made.restarted()
        try await again.strong()
        #expect(hardware.guarded == 3)
    }

    @Test(.holds("INV-107-01"))
    func `a strong unlock renews the finger's key with the policy's lease, and a finger does not`()
        async throws
    {
        var policy = TestVault.policy
        policy.strongFactorMaxAge = .hours(5)
        let made = try await TestVault.make(policy: policy, biometrics: true, on: simulated, seenAs: hardware.device)
        let lease = ItemLease(thisBootOnly: true, duration: .hours(5))
        #expect(hardware.leases == [lease])
        await made.vault.lock()
        try await made.touch()
        await made.vault.lock()
        #expect(hardware.leases.count == 1)
        try await made.strong()
        await made.vault.lock()
        #expect(hardware.leases == [lease, lease])
        try await made.touch()
        #expect(await made.vault.snapshot.biometrics == .enabled)
        #expect(hardware.items.count == 1, "the former key is gone")
    }

    @Test(.holds("INV-107-01")) func `hardware that ends a finger's key gets the new limit at once`() async throws {
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: hardware.device)
        let proof = Held(try await made.strong())
        let before = hardware.leases.count
        try await made.vault.setPolicy(proof.take()) { $0.strongFactorMaxAge = .hours(5) }
        #expect(hardware.leases.dropFirst(before) == [ItemLease(thisBootOnly: true, duration: .hours(5))])
        await made.vault.lock()
        try await made.touch()
    }

    @Test(.holds("C16")) func `a key whose lease is over asks for the PIN, which brings the finger back`() async throws
    {
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: hardware.device)
        await made.vault.lock()
        hardware.endLeases()
        #expect(await refusal { try await made.touch() } == .strongFactorRequired)
        #expect(await made.vault.snapshot.biometrics == .enabled)
        try await made.strong()
        await made.vault.lock()
        try await made.touch()
    }

    @Test(.holds("A7", "A38"))
    func `a cost upgrade that another copy came before is told, and takes no part from that copy`()
        async throws
    {
        let (moves, due) = (Counter(), Due())
        let watched = WatchedDevice(simulated) { [simulated] call in
            // The first move counts the attempt, the second is the upgrade's.
            guard case .anchorMove(let item) = call, due.isFor(item), moves.next() == 2 else { return }
            guard let stands = try? await simulated.position(for: item) else { return }
            let other = LedgerPosition(sequence: stands.sequence + 1, mark: .make())
            _ = try? await simulated.move(from: stands, to: other, for: item)
        }
        let made = try await TestVault.make(on: simulated, seenAs: hardware.device(anchoredBy: watched))
        due.set(try made.slot(.localSecret).item)
        await made.vault.close()
        let vault = try await Vault.open(
            in: made.path,
            device: made.device,
            configuration: VaultConfiguration(argon2: .insecureTestStronger)
        )
        let code = await refusal { _ = try await vault.unlock(with: SecretBytes(text: TestVault.pin)) }
        #expect(code == .olderCopy)
        #expect(moves.count == 2)
        #expect(hardware.guarded == 2, "the copy that came first needs the former part")
        #expect(await vault.snapshot.state == .unlocked(.exportOnly))
    }

    @Test(.holds("A28")) func `who was enrolled while the key was being renewed does not come in`() async throws {
        let made = try await TestVault.make(biometrics: true, on: simulated, seenAs: hardware.device)
        await made.vault.lock()
        hardware.beforeSave = { [simulated] in try simulated.simulate(.enroll) }
        try await made.strong()
        hardware.beforeSave = nil
        await made.vault.lock()
        #expect(await refusal { try await made.touch() } == .biometricsChanged)
        #expect(try await made.look().biometrics == .revoked(.biometricsChanged))
        try await made.strong()
        #expect(hardware.items.isEmpty)
    }
}

/// The simulated device with a chip in front of it.
private final class CountingHardware: ForwardingStore, @unchecked Sendable {
    // Safe to share: `lock` guards every field that changes.
    static let limit = 3
    private let lock = NSLock()
    private let base: SimulatedDevice
    private var authorisations: [String: [UInt8]] = [:]
    private var kept: [(item: ItemName, lease: ItemLease)] = []
    private var ended: Set<ItemName> = []
    private var there: Set<ItemName> = []
    private var wrong = 0
    private var hook: (@Sendable () throws -> Void)?

    init(_ base: SimulatedDevice) { self.base = base }

    var device: Device { device(anchoredBy: base) }

    func device(anchoredBy anchor: any Anchor) -> Device {
        let device = base.device
        return Device(
            kind: device.kind,
            store: self,
            prompt: device.prompt,
            anchor: anchor,
            clock: device.clock,
            installation: device.installation,
            events: device.events
        )
    }

    var wrongTries: Int {
        get { lock.withLock { wrong } }
        set { lock.withLock { wrong = newValue } }
    }
    /// What was stored, and not deleted since.
    var items: Set<ItemName> { lock.withLock { there } }
    var guarded: Int { lock.withLock { authorisations.count } }
    var leases: [ItemLease] { lock.withLock { kept.map(\.lease) } }
    var beforeSave: (@Sendable () throws -> Void)? {
        get { lock.withLock { hook } }
        set { lock.withLock { hook = newValue } }
    }

    func endLeases() { lock.withLock { ended.formUnion(kept.map(\.item)) } }

    var keepsLeases: Bool { true }

    var store: any SecureStore { base }

    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        try? beforeSave?()
        try await base.save(secret, as: name, access: access, lease: lease)
        lock.withLock {
            there.insert(name)
            if let lease { kept.append((name, lease)) }
        }
    }

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        guard !(lock.withLock { ended.contains(name) }) else { throw .lockedOut }
        return try await base.read(name, prompt: prompt)
    }

    func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await base.delete(name)
        lock.withLock { _ = there.remove(name) }
    }

    func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {
        let digest = Self.digest(authorisation)
        lock.withLock { authorisations[name.text + slot.text] = digest }
    }

    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        let digest = Self.digest(authorisation)
        let refusal: DeviceRefusal? = lock.withLock {
            guard let known = authorisations[name.text + slot.text] else { return .absent }
            guard wrong < Self.limit else { return .lockedOut }
            guard known != digest else { return nil }
            wrong += 1
            return .wrongAuthorisation
        }
        if let refusal { throw refusal }
        return try await base.evaluate(name, input: input)
    }

    func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal) {
        let kept = Set(slots.map { name.text + $0.text })
        lock.withLock {
            authorisations = authorisations.filter { !$0.key.hasPrefix(name.text) || kept.contains($0.key) }
        }
    }

    private static func digest(_ authorisation: borrowing SecretBytes) -> [UInt8] {
        authorisation.withBytes { SHA256.digest($0) }
    }
}

/// A store whose device secrets give so many bytes.
private struct ShortShares: ForwardingStore {
    let store: any SecureStore
    let byteCount: Int

    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        .random(byteCount: byteCount)
    }

    func device(of simulated: SimulatedDevice) -> Device {
        let device = simulated.device
        return Device(
            kind: device.kind,
            store: self,
            prompt: device.prompt,
            anchor: device.anchor,
            clock: device.clock,
            installation: device.installation,
            events: device.events
        )
    }
}
