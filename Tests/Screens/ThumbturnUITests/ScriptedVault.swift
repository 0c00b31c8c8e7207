import Testing
import ThumbturnRules
import ThumbturnUI

/// Stands for a vault as an app's own test could: it shows the snapshots that a test says, remembers what it was asked, and
/// answers each prompt and secret as it was told.
///
/// An actor, as a vault is, so that it hears the phases of the app in their order.
actor ScriptedVault: AppUnlockVault {
    enum Call: Hashable {
        case appBecame(AppPhase)
        case followDevice, publish, lock, secret, enable, complete, reset, acceptOlderCopy
        case prompt(PromptText, UnlockMode)
    }

    nonisolated let now = ClockReading(wall: .seconds(1), boottime: .seconds(2), bootID: .unnamedBoot(3))
    private(set) var calls: [Call] = []
    private var snapshot: VaultSnapshot
    private var watchers: [AsyncStream<VaultSnapshot>.Continuation] = []
    private let refusal: ErrorCode?
    private var authorization: StrongAuthorization?

    /// - Parameters:
    ///   - refusal: what every prompt and secret is refused with; nil lets a prompt succeed and no secret.
    ///   - authorization: what the first secret is answered with, which nobody but a vault can make.
    init(
        _ snapshot: VaultSnapshot,
        refusing refusal: ErrorCode? = nil,
        giving authorization: consuming StrongAuthorization? = nil
    ) {
        self.snapshot = snapshot
        self.refusal = refusal
        self.authorization = authorization
    }

    /// Shows the next snapshot.
    func say(_ next: VaultSnapshot) {
        snapshot = next
        for watcher in watchers { watcher.yield(next) }
    }

    func snapshots() -> AsyncStream<VaultSnapshot> {
        let (stream, watcher) = AsyncStream.makeStream(of: VaultSnapshot.self)
        watchers.append(watcher)
        watcher.yield(snapshot)
        return stream
    }

    func unlock(with secret: borrowing SecretBytes) throws(VaultError) -> StrongAuthorization {
        calls.append(.secret)
        guard let given = authorization.take() else { throw VaultError(refusal ?? .locked) }
        return given
    }

    func unlock(by prompt: PromptText, in mode: UnlockMode) throws(VaultError) {
        calls.append(.prompt(prompt, mode))
        if let refusal { throw VaultError(refusal) }
    }

    func appBecame(_ phase: AppPhase) { calls.append(.appBecame(phase)) }

    func followDevice() { calls.append(.followDevice) }

    func publish() {
        calls.append(.publish)
        say(snapshot)
    }

    func lock() { calls.append(.lock) }

    func enableBiometrics(_ consent: BiometricConsent, _ authorization: consuming StrongAuthorization) {
        calls.append(.enable)
    }

    func completeMigration(
        with secret: borrowing SecretBytes,
        newSecret: consuming SecretBytes?,
        keepingBothAs name: WalletName?,
        prompt: PromptText?,
        withoutBiometrics: Bool
    ) throws(VaultError) -> StrongAuthorization {
        calls.append(.complete)
        throw VaultError(refusal ?? .locked)
    }

    func acceptOlderCopy(_ confirmation: OlderCopyConfirmation, _ authorization: consuming StrongAuthorization) {
        calls.append(.acceptOlderCopy)
    }

    func reset(_ confirmation: ResetConfirmation) { calls.append(.reset) }

    /// What was asked since the app was told of, but for what every model asks.
    var asked: [Call] { calls.filter { $0 != .followDevice } }
}
