import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Stands behind a model that shows one snapshot: refuses every change.
struct SnapshotVault: AppUnlockVault, BiometricSettingsVault, SystemSettingsVault {
    let snapshot: VaultSnapshot
    var obstacle: ErrorCode?
    static let now = ClockReading(wall: .zero, boottime: .zero, bootID: .unnamedBoot(0))
    var now: ClockReading { Self.now }

    func snapshots() async -> AsyncStream<VaultSnapshot> { AsyncStream { $0.yield(snapshot) } }
    func refresh() async -> VaultSnapshot { snapshot }
    func publish() async {}
    func lock() async {}
    func followDevice() async {}
    func appBecame(_ phase: AppPhase) async {}
    func obstacleToSystemAuthentication(_ offer: SystemModeOffer?) async -> ErrorCode? { obstacle }

    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }

    func unlock(by prompt: PromptText, in mode: UnlockMode) async throws(VaultError) { throw VaultError(.locked) }

    func reset(_ confirmation: ResetConfirmation) async throws(VaultError) { throw VaultError(.locked) }

    func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes?,
        keepingBothAs name: WalletName?,
        prompt: PromptText?,
        withoutBiometrics: Bool
    ) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }

    func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func makeRecoveryKey(_ authorization: consuming StrongAuthorization) async throws(VaultError) -> SecretBytes {
        throw VaultError(.locked)
    }

    func confirmRecoveryKey(
        _ typed: borrowing SecretBytes,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func enableBiometrics(
        _ consent: BiometricConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func enableBiometrics(_ consent: BiometricConsent, with secret: borrowing SecretBytes) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func disableBiometrics(_ authorization: consuming StrongAuthorization?, reason: String) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func disableBiometrics(with secret: borrowing SecretBytes, reason: String) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization,
        provedBy prompt: PromptText
    ) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        byBiometrics prompt: PromptText
    ) async throws(VaultError) {
        throw VaultError(.locked)
    }

    func unlockWithSystem(_ prompt: PromptText) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }

    func confirmSystemExit(
        _ consent: SystemModeConsent,
        _ prompt: PromptText
    ) async throws(VaultError) -> SystemModeExit {
        throw VaultError(.locked)
    }

    func disableSystemAuthentication(
        _ exit: consuming SystemModeExit,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) {
        throw VaultError(.locked)
    }
}
