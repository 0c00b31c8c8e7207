import Thumbturn
import ThumbturnCrypto
import ThumbturnRules

@testable import ThumbturnUI

/// Holds a call of a model, so that a test acts while it is certainly under way.
struct HeldCall: Sendable {
    private let arrival = AsyncStream.makeStream(of: Void.self)
    private let release = AsyncStream.makeStream(of: Void.self)

    /// Called by what is held; ends with `open` or its task.
    func pass() async {
        arrival.continuation.finish()
        for await _ in release.stream {}
    }

    /// Waits until the call is there.
    func arrives() async { for await _ in arrival.stream {} }

    func open() { release.continuation.finish() }
}

/// A vault whose recovery is held.
struct HeldVault: RecoverVault {
    let vault: Vault
    let call = HeldCall()

    var now: ClockReading { vault.now }

    func snapshots() async -> AsyncStream<VaultSnapshot> { await vault.snapshots() }

    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await vault.unlock(with: secret)
    }

    func unlock(withRecoveryKey typed: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await vault.unlock(withRecoveryKey: typed)
    }

    func recover(
        with key: borrowing SecretBytes,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        await call.pass()
        return try await vault.recover(with: key, newSecret: secret)
    }

    func acceptOlderCopy(
        _ confirmation: OlderCopyConfirmation,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await vault.acceptOlderCopy(confirmation, authorization)
    }
}
