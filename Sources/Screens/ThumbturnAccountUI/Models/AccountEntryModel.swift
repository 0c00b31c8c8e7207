public import ThumbturnAccount
public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules
public import ThumbturnUI

/// Takes a device into an account: registers it or logs in, then offers biometrics.
///
/// Call `choose(_:)`, `enterName(_:)`, then `enter(_:)` for each password that `step` asks for, and `answerOffer(_:)`.
/// The vault is handed over open.
@MainActor public final class AccountEntryModel: AccountScreenModel<AccountEntryFields> {
    private let vaults: any AccountEntryVaults
    private let finish: @MainActor (AccountVault) -> Void
    private var progress: AccountEntryFields.Progress
    /// A new password until it is repeated.
    private var chosen: HeldSecret?
    private var made: AccountVault?
    private var authorization: StrongAuthorization?
    private var consented: BiometricConsent?

    /// Starts with the question whether to register or to log in.
    ///
    /// - Parameters:
    ///   - vaults: where the vault is made, and the way to the service.
    ///   - finish: receives the vault, unlocked, once the offer is answered.
    public convenience init(_ vaults: any AccountEntryVaults, finish: @escaping @MainActor (AccountVault) -> Void) {
        self.init(vaults, .init(), sleep: nil, finish: finish)
    }

    /// Shows one step without a service, for a preview or a test of the screen: every call is refused.
    ///
    /// - Parameters:
    ///   - progress: what has been entered so far.
    ///   - snapshot: the vault whose sensor is offered; nil offers none.
    public convenience init(showing progress: AccountEntryFields.Progress, of snapshot: VaultSnapshot? = nil) {
        self.init(StillAccount(), progress, sleep: nil) { _ in }
        if let snapshot { take(snapshot) }
    }

    init(
        _ vaults: any AccountEntryVaults,
        _ progress: AccountEntryFields.Progress,
        sleep: Sleep?,
        finish: @escaping @MainActor (AccountVault) -> Void
    ) {
        (self.vaults, self.progress, self.finish) = (vaults, progress, finish)
        super.init(AccountEntryFields(progress, AccountSurroundings()), sleep: sleep)
        describing = { [unowned self] in AccountEntryFields(self.progress, around) }
    }

    /// Forgets a password that was not repeated yet.
    override func forget() {
        chosen = nil
        if progress.step == .repeated { step(.password) }
    }

    override func lockedMeanwhile() {
        forget()
        if made != nil, !isCalling { end() }
    }

    /// Leaves the screen: forgets what was typed, and ends a call that is still under way.
    ///
    /// What the service has done by then stays done; a vault that is there already is handed over without biometrics.
    public override func cancel() {
        super.cancel()
        switch progress.step {
        case .offer, .offerPassword: if !isCalling { end() }
        case .way, .name, .password, .repeated, .done: break
        }
    }
}

extension AccountEntryModel {
    /// Chooses between a new account and one that exists.
    public func choose(_ way: AccountEntryFields.Way) {
        guard progress.step == .way else { return }
        progress.way = way
        step(.name)
    }

    /// Takes the account's name; a capital letter or a space around it counts as the keyboard's.
    public func enterName(_ text: String) {
        guard progress.step == .name else { return }
        guard let name = AccountName(typed: text) else { return refuse(.accountNameInvalid) }
        progress.name = name.text
        step(.password)
    }

    /// Continues with the password that the step asks for.
    public func enter(_ secret: borrowing SecretBytes) async {
        guard mayAsk else { return }
        switch (progress.step, progress.way) {
        case (.password, .register): choose(secret)
        case (.password, .logIn): await enrol(HeldSecret(secret.copy()))
        case (.repeated, _): await repeated(secret)
        case (.offerPassword, _): await enable(with: HeldSecret(secret.copy()))
        case (.way, _), (.name, _), (.offer, _), (.done, _): break
        }
    }

    /// Returns to the step before; a password that was typed is forgotten.
    public func back() {
        guard !isCalling else { return }
        chosen = nil
        switch progress.step {
        case .name: step(.way)
        case .password: step(.name)
        case .repeated: step(.password)
        case .offerPassword: step(.offer)
        case .way, .offer, .done: break
        }
    }

    /// Answers the offer: biometrics are turned on with the owner's consent, and stay off without.
    public func answerOffer(_ consent: BiometricConsent?) async {
        guard progress.step == .offer, !isCalling, let made else { return }
        guard let consent else { return end() }
        consented = consent
        await enable { [weak self] () throws(VaultError) in
            guard let given = self?.authorization.take() else { throw VaultError(.authorizationExpired) }
            try await made.vault.enableBiometrics(consent, given)
        }
    }

    /// Reports the app's phase: in the background what was typed is forgotten, and an offer counts as skipped.
    ///
    /// A vault that is there already follows its policy, which may lock it.
    public func appBecame(_ phase: AppPhase) {
        guard phase == .background else { return }
        forget()
        show()
        guard made != nil, !isCalling else { return }
        end()
    }

    /// Returns the owner's consent, given at this moment.
    package func consent() -> BiometricConsent { BiometricConsent(ownerAgreedAt: clock()) }

    /// The device's clocks, for the time of a consent; those of a preview stand still.
    var clock: @Sendable () -> ClockReading {
        let made = made
        return { made?.now ?? StillAccount().now }
    }
}

// The steps.
extension AccountEntryModel {
    private func step(_ step: AccountEntryFields.Step) {
        progress.step = step
        refuse(nil)
    }

    /// Refuses a password that registering would refuse, before it is repeated.
    private func choose(_ secret: borrowing SecretBytes) {
        if let weakness = secret.weaknessOfAccount { return refuse(weakness) }
        progress.isUnusual = !AccountPassword.isASCII(secret)
        chosen = HeldSecret(secret.copy())
        step(.repeated)
    }

    private func repeated(_ secret: borrowing SecretBytes) async {
        let first = chosen.take()
        step(.password)
        guard let first, SecretBytes.constantTimeEqual(first.bytes, secret) else {
            return refuse(.confirmationDiffers)
        }
        await enrol(first)
    }

    private func enrol(_ password: HeldSecret) async {
        let (name, way, vaults) = (progress.name, progress.way, vaults)
        await run { [weak self] (isHere) throws(VaultError) in
            let enrolled: AccountVault.Enrolled
            do throws(VaultError) {
                switch way {
                case .register: enrolled = try await vaults.register(name, password: password.bytes)
                case .logIn: enrolled = try await vaults.logIn(name, password: password.bytes)
                }
            } catch {
                // The name is another owner's, so another password is of no use.
                if error.code == .accountNameTaken, isHere() { self?.progress.step = .name }
                throw error
            }
            // Nobody waits for it any more; the next start of the app finds it.
            guard let self, isHere() else { return await enrolled.account.vault.close() }
            await take(enrolled)
        }
    }

    private func take(_ enrolled: consuming AccountVault.Enrolled) async {
        let account = enrolled.account
        progress.existed = enrolled.existed
        made = account
        authorization = enrolled.takeAuthorization()
        let snapshot = await account.vault.snapshot
        take(snapshot)
        follow(account)
        guard snapshot.capability.supported else { return end() }
        progress.step = .offer
    }

    private func enable(with password: HeldSecret) async {
        guard let made, let consented else { return step(.offer) }
        await enable { () throws(VaultError) in try await made.enableBiometrics(consented, with: password.bytes) }
    }

    private func enable(_ body: @escaping @MainActor () async throws(VaultError) -> Void) async {
        await run { [weak self] (isHere) throws(VaultError) in
            do throws(VaultError) { try await body() } catch {
                guard isHere(), error.code != .locked else {
                    self?.end()
                    return
                }
                // Each proof vouches for one try, within a minute.
                self?.progress.step = .offerPassword
                throw error
            }
            self?.end()
        }
    }

    /// Hands the vault over, once.
    private func end() {
        authorization = nil
        consented = nil
        progress.step = .done
        show()
        guard let account = made.take() else { return }
        finish(account)
    }
}

extension AccountName {
    /// Reads a name as a phone's keyboard types it.
    fileprivate init?(typed text: String) {
        let bytes = text.utf8.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 }
        let name = bytes.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed()
        self.init(String(decoding: Array(name), as: UTF8.self))
    }
}

extension SecretBytes {
    /// Why this may not become an account's password; nil when it may.
    var weaknessOfAccount: ErrorCode? {
        borrowing get { withBytes { LocalSecretRules.weakness(of: $0, under: LocalSecretRules.accountAssurance) } }
    }
}
