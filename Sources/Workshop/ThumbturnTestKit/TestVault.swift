import Foundation
package import Thumbturn
package import ThumbturnSimulator
@_spi(InsecureTestParameters) import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A vault in its own folder on a simulated device with stopped clocks and a cheap derivation, which tells no events.
package struct TestVault: Sendable {
    package static let pin = "493817"
    package static let words = PromptText(reason: "Open the vault")
    package static let policy = VaultPolicy.wallet.allowing(.simulated)

    package let folder: TemporaryFolder
    package let simulated: SimulatedDevice
    package let device: Device
    package let log: EventLog
    package let vault: Vault

    /// The path of the vault.
    package var path: String { folder.file("vault") }

    /// Creates an unlocked vault that its PIN opens.
    ///
    /// - Parameters:
    ///   - biometrics: whether the enrolled finger opens it too.
    ///   - cost: the limits for stretching its PIN.
    ///   - device: the device for the vault, if not `simulated` itself.
    package static func make(
        policy: VaultPolicy = policy,
        biometrics: Bool = false,
        stretchedBy cost: Argon2Limits = .insecureTest,
        on simulated: SimulatedDevice = SimulatedDevice(),
        seenAs device: Device? = nil
    ) async throws -> TestVault {
        let folder = try TemporaryFolder()
        let device = device ?? simulated.silent
        let log = EventLog()
        let creation = try await Vault.create(
            in: folder.file("vault"),
            device: device,
            secret: SecretBytes(text: pin),
            policy: policy,
            biometrics: biometrics ? BiometricConsent(ownerAgreedAt: device.clock()) : nil,
            configuration: configuration(log, stretchedBy: cost)
        )
        if let failure = creation.biometricsFailure { throw failure }
        return TestVault(folder: folder, simulated: simulated, device: device, log: log, vault: creation.vault)
    }

    package static func configuration(
        _ log: EventLog = EventLog(),
        stretchedBy cost: Argon2Limits = .insecureTest
    ) -> VaultConfiguration {
        var configuration = VaultConfiguration(argon2: cost) { log.append($0) }
        configuration.tolerated = { log.tolerate($0) }
        return configuration
    }

    /// Opens the same vault again, as another process or a restarted app would; `device` is the device for it.
    package func reopened(seenAs device: Device? = nil) async throws -> TestVault {
        let device = device ?? self.device
        let log = EventLog()
        let vault = try await Vault.open(in: path, device: device, configuration: Self.configuration(log))
        return TestVault(folder: folder, simulated: simulated, device: device, log: log, vault: vault)
    }

    /// Closes the vault's files, and opens them again.
    package func restarted() async throws -> TestVault {
        await vault.close()
        return try await reopened()
    }
}

// Actions that tests repeat.
extension TestVault {
    /// Unlocks a vault that was replaced by an older copy with the PIN, and accepts the copy.
    package func acceptOlderCopy() async throws {
        try await vault.acceptOlderCopy(OlderCopyConfirmation(typed: OlderCopyConfirmation.phrase), strong())
    }

    /// Unlocks it with the recovery key, and accepts the copy.
    package func acceptOlderCopy(withRecoveryKey key: String) async throws {
        try await vault.acceptOlderCopy(
            OlderCopyConfirmation(typed: OlderCopyConfirmation.phrase),
            vault.unlock(withRecoveryKey: SecretBytes(text: key))
        )
    }

    /// Unlocks with the PIN.
    @discardableResult
    package func strong() async throws -> StrongAuthorization {
        try await vault.unlock(with: SecretBytes(text: Self.pin))
    }

    /// Tries a wrong PIN, a different one for each number.
    package func guess(_ number: Int = 0) async throws {
        try await vault.unlock(with: SecretBytes(text: "\(730_000 + number)"))
    }

    /// Unlocks with a finger that behaves as `touch` says.
    package func touch(_ touch: SimulatedTouch = .match) async throws {
        try simulated.simulate(.finger(touch))
        try await vault.unlockWithBiometrics(Self.words)
    }

    package var consent: BiometricConsent { BiometricConsent(ownerAgreedAt: device.clock()) }

    package func enableBiometrics() async throws { try await vault.enableBiometrics(consent, try await strong()) }

    /// Creates a recovery key, and confirms it by default.
    package func makeRecoveryKey(confirming: Bool = true) async throws -> String {
        let key = try await vault.createRecoveryKey(try await strong()) { $0.exposedText }
        if confirming { try await vault.confirmRecoveryKey(SecretBytes(text: key), try await strong()) }
        return key
    }

    /// Adds a wallet with the secret `text`.
    @discardableResult
    package func add(_ name: String, _ text: String = "a secret of many words") async throws -> WalletSummary {
        try await vault.addWallet(named: WalletName(name), .opaque(SecretBytes(text: text)))
    }

    /// Returns a wallet's secret as text.
    package func secret(of id: Identifier) async throws -> String {
        try await vault.withSecret(of: id) { _, bytes in bytes.exposedText }
    }

    /// Refreshes the vault's state.
    package func look() async throws -> VaultSnapshot { try await vault.refresh() }

    package func advance(_ span: Milliseconds) throws { try simulated.simulate(.advance(span)) }
}

/// Every event that a vault reported, and every fault that it tolerated, in order.
package final class EventLog: @unchecked Sendable {
    // Safe to share: `lock` guards the fields.
    private let lock = NSLock()
    private var kept: [AuditEvent] = []
    private var faults: [VaultError] = []

    package init() {}

    package func append(_ event: AuditEvent) { lock.withLock { kept.append(event) } }

    package func tolerate(_ fault: VaultError) { lock.withLock { faults.append(fault) } }

    package var tolerated: [ErrorCode] { lock.withLock { faults.map(\.code) } }
    package var events: [AuditEvent] { lock.withLock { kept } }
    package var kinds: [AuditEventKind] { events.map(\.kind) }

    package func count(_ kind: AuditEventKind) -> Int { kinds.count { $0 == kind } }

    /// The events that report tampering with the vault's files.
    package var alarms: Set<AuditEventKind> { Set(kinds).intersection([.vaultTampered, .ledgerUnreliable]) }
}

/// A counter from 1, for several threads.
package final class Counter: @unchecked Sendable {
    // Safe to share: `lock` guards the one field.
    private let lock = NSLock()
    private var last = 0

    package init() {}

    package func next() -> Int {
        lock.withLock {
            last += 1
            return last
        }
    }

    package var count: Int { lock.withLock { last } }
}
