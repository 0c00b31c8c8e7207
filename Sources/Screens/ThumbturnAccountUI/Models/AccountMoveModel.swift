public import ThumbturnAccount
public import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

/// Asks the owner whether the account's service has moved, and follows it.
///
/// Nothing is sent to the other address before the owner agrees, and nothing of the vault changes before the service
/// there has proved to be the same (`ERR-TT-510`).
@MainActor public final class AccountMoveModel: AccountScreenModel<AccountMoveFields> {
    private let vault: any AccountMoveVault
    private let finish: @MainActor (AccountVault) -> Void
    private var addresses = AccountMoveFields.Addresses(known: "", asked: "")
    private var step: AccountMoveFields.Step
    private var reader: Task<Void, Never>?

    /// Starts with the question.
    ///
    /// - Parameters:
    ///   - vault: the move that may be made.
    ///   - finish: receives the vault over the other transport, unlocked.
    public convenience init(_ vault: any AccountMoveVault, finish: @escaping @MainActor (AccountVault) -> Void) {
        self.init(vault, .question, sleep: nil, finish: finish)
    }

    /// Shows one step without a vault, for a preview or a test of the screen: every call is refused.
    public convenience init(showing step: AccountMoveFields.Step, _ addresses: AccountMoveFields.Addresses) {
        self.init(StillAccount(addresses: addresses), step, sleep: nil) { _ in }
        self.addresses = addresses
        show()
    }

    init(
        _ vault: any AccountMoveVault,
        _ step: AccountMoveFields.Step,
        sleep: Sleep?,
        finish: @escaping @MainActor (AccountVault) -> Void
    ) {
        (self.vault, self.step, self.finish) = (vault, step, finish)
        super.init(AccountMoveFields(step, addresses, AccountSurroundings()), sleep: sleep)
        describing = { [unowned self] in AccountMoveFields(self.step, addresses, around) }
        reader = Task { [weak self] in
            let addresses = await vault.addresses
            self?.addresses = addresses
            self?.show()
        }
    }

    deinit { reader?.cancel() }

    override func forget() {
        if step == .password { step = .question }
    }
}

extension AccountMoveModel {
    /// The owner knows of the move: the password comes next.
    public func agree() {
        guard !isCalling, step == .question else { return }
        step = .password
        refuse(nil)
    }

    /// Returns to the question.
    public func back() {
        guard !isCalling, step == .password else { return }
        step = .question
        refuse(nil)
    }

    /// Follows the service with the password.
    public func enter(_ secret: borrowing SecretBytes) async {
        guard mayAsk, step == .password else { return }
        let (vault, password) = (vault, HeldSecret(secret.copy()))
        await run { [weak self] (isHere) throws(VaultError) in
            let moved: AccountVault
            do throws(VaultError) { moved = try await vault.follow(with: password.bytes) } catch {
                // A wrong password can be typed again; whoever else answered there is asked nothing more.
                let asksAgain = [.strongFactorRefused, .attemptDelayed].contains(error.code)
                if isHere(), !asksAgain { self?.step = .question }
                throw error
            }
            guard let self else { return }
            // It has moved, whoever still looks.
            step = .done
            finish(moved)
        }
    }
}
