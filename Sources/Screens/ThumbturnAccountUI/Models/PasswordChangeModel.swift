import Thumbturn
import ThumbturnAccount
public import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

/// Changes an account's password: `enter(_:)` for each password that `step` asks for.
///
/// What was typed is forgotten when the vault is covered or locked, and when the screen goes.
@MainActor public final class PasswordChangeModel: AccountScreenModel<PasswordChangeFields> {
    private let vault: any PasswordChangeVault
    private var progress: PasswordChangeFields.Progress
    private var present: HeldSecret?
    private var chosen: HeldSecret?

    /// Starts to follow a vault.
    public convenience init(_ vault: any PasswordChangeVault) { self.init(vault, .init(), sleep: nil) }

    /// Shows one step without a vault, for a preview or a test of the screen: every call is refused.
    public convenience init(showing progress: PasswordChangeFields.Progress) {
        self.init(StillAccount(), progress, sleep: nil)
    }

    init(_ vault: any PasswordChangeVault, _ progress: PasswordChangeFields.Progress, sleep: Sleep?) {
        (self.vault, self.progress) = (vault, progress)
        super.init(PasswordChangeFields(progress, AccountSurroundings()), sleep: sleep)
        describing = { [unowned self] in PasswordChangeFields(self.progress, around) }
        follow(vault)
    }

    override func forget() {
        (present, chosen) = (nil, nil)
        // That it was changed, or may have been, is no secret.
        if [.new, .repeated].contains(progress.step) { progress.step = .present }
        progress.isSame = false
    }

    /// Leaves the screen: forgets what was typed, and ends a call that is still under way.
    ///
    /// How such a call ended shows when the screen is back.
    public override func cancel() {
        super.cancel()
        guard !isCalling, progress.step == .done else { return }
        startAgain()
    }
}

extension PasswordChangeModel {
    /// Continues with the password that the step asks for.
    ///
    /// The present one is proved to the service at once, so that nobody thinks of a new one in vain.
    public func enter(_ secret: borrowing SecretBytes) async {
        guard mayAsk else { return }
        switch progress.step {
        case .present: await prove(HeldSecret(secret.copy()))
        case .new: choose(secret)
        case .repeated: await repeated(secret)
        case .done: break
        }
    }

    /// Starts again, for another change.
    public func startAgain() {
        guard !isCalling else { return }
        forget()
        progress = .init()
        refuse(nil)
    }
}

// The steps.
extension PasswordChangeModel {
    private func prove(_ password: HeldSecret) async {
        progress.isUncertain = false
        let vault = vault
        await run { [weak self] (isHere) throws(VaultError) in
            _ = try await vault.unlock(with: password.bytes)
            // A cover may have ended the change meanwhile.
            guard let self, isHere(), !isCoveredNow else { return }
            present = password
            progress.step = .new
        }
    }

    private func choose(_ secret: borrowing SecretBytes) {
        progress.isSame = present.map { SecretBytes.constantTimeEqual($0.bytes, secret) } ?? false
        guard !progress.isSame else { return refuse(nil) }
        if let weakness = secret.weaknessOfAccount { return refuse(weakness) }
        progress.isUnusual = !AccountPassword.isASCII(secret)
        chosen = HeldSecret(secret.copy())
        progress.step = .repeated
        refuse(nil)
    }

    private func repeated(_ secret: borrowing SecretBytes) async {
        guard let first = chosen.take(), let present, SecretBytes.constantTimeEqual(first.bytes, secret) else {
            progress.step = .new
            return refuse(.confirmationDiffers)
        }
        let vault = vault
        await run { [weak self] (isHere) throws(VaultError) in
            do throws(VaultError) {
                _ = try await vault.changePassword(from: present.bytes, to: first.bytes)
                self?.end(as: .done)
            } catch {
                self?.end(as: .present, isUncertain: error.code.mayHaveChanged)
                throw error
            }
        }
    }

    /// Tells how it ended, also after a cover; another change starts at the beginning.
    private func end(as step: PasswordChangeFields.Step, isUncertain: Bool = false) {
        (present, chosen) = (nil, nil)
        progress.step = step
        progress.isUncertain = isUncertain
    }
}

extension ErrorCode {
    /// Whether a password may have been changed though the call threw this.
    fileprivate var mayHaveChanged: Bool {
        switch self {
        case .strongFactorRefused, .attemptDelayed, .exportOnly, .secretMalformed, .secretTooShort, .secretTooCommon,
            .secretTooWeakForDevice, .accountDevicesLag, .accountKeyMissing, .serviceElsewhere, .serviceDiffers,
            .accountMismatch, .certificateExpired, .certificateClock, .certificateUnknown:
            false
        default: true
        }
    }
}
