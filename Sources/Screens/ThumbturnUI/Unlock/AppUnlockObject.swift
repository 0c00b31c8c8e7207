import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// Locks and unlocks one vault for an app: seed 002's `useAppUnlock`, for iOS 15 and 16, macOS 12 and 13, and Linux.
///
/// From iOS 17 and macOS 14, `AppUnlockModel` is the same and observable. `fields` is the state of the screen, and its
/// members are also members of the model: `model.state`, `model.error`. It follows the vault's snapshots; a call only
/// adds its error. Report the app's phase with `appBecame(_:)`, as the modifier `vaultLock` does: the model then
/// covers, locks according to the policy, and prompts once on return.
///
/// Use one model for each vault: two would prompt twice.
@MainActor
public class AppUnlockObject: ScreenModel<AppUnlockFields> {
    /// The kind of secret that the owner types.
    public let secret: SecretKind
    /// The PIN during entry.
    public let pin = PINEntry()

    private let vault: any AppUnlockVault
    private let words: PromptText?
    private let sleep: @Sendable (Milliseconds) async -> Void
    private var snapshot: VaultSnapshot?
    private var around = AppUnlockFields.Surroundings()
    private var rule = PromptRule()
    private var authorization: StrongAuthorization?
    /// The proof that opened an older copy, and the confirmation typed to accept that copy as the vault.
    private var proof: StrongAuthorization?
    private var confirmation: OlderCopyConfirmation?
    private var completion: Completion?
    private var mover: CheckedContinuation<Bool, Never>?
    private var prompt: Task<VaultError?, Never>?
    private var countdown: Task<Void, Never>?
    private var forgetting: Task<Void, Never>?
    private var followers: [Task<Void, Never>] = []

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` that is locked and unlocked.
    ///   - secret: the kind of secret that the owner types.
    ///   - prompt: the text of the system's prompt; nil for ours.
    public convenience init(
        _ vault: any AppUnlockVault,
        secret: SecretKind = .pin(length: nil),
        prompt: PromptText? = nil
    ) {
        self.init(vault, secret: secret, prompt: prompt) { span in
            try? await Task.sleep(nanoseconds: UInt64(max(span.count, 0)) * 1_000_000)
        }
    }

    /// Shows one snapshot without a vault, for a preview or a test of a screen; can't be unlocked.
    public convenience init(showing snapshot: VaultSnapshot, secret: SecretKind = .pin(length: nil)) {
        self.init(SnapshotVault(snapshot: snapshot), secret: secret)
        take(snapshot)
    }

    init(
        _ vault: any AppUnlockVault,
        secret: SecretKind,
        prompt: PromptText?,
        sleep: @escaping @Sendable (Milliseconds) async -> Void
    ) {
        self.vault = vault
        self.secret = secret
        self.words = prompt
        self.sleep = sleep
        super.init(AppUnlockFields(nil, around))
        let snapshots = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.take(snapshot) }
        }
        followers = [snapshots, Task { await vault.followDevice() }]
    }

    deinit {
        for follower in followers { follower.cancel() }
        countdown?.cancel()
        forgetting?.cancel()
        prompt?.cancel()
    }

    override func described() -> AppUnlockFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        around.hasOffer = authorization != nil
        return AppUnlockFields(snapshot, around)
    }
}

// Calls by the app.
extension AppUnlockObject {
    /// Reports the app's phase.
    ///
    /// Covers and forgets typed secrets before it returns, so that the app switcher's picture shows neither (A37).
    public func appBecame(_ phase: AppPhase) {
        around.phase = phase
        if phase == .background { forgetCompletion() }
        if phase != .active {
            // The system may stop the app before the vault is told: after the return, show nothing older (A37).
            around.awaitsCover = true
            pin.clear()
        }
        show()
        countDown()
        // A system overlay, including the system's own prompt, makes the app inactive: only leaving it ends a prompt.
        if phase == .background { prompt?.cancel() }
        Task { [vault] in await vault.appBecame(phase) }
    }

    /// Locks at the user's request: there is no automatic prompt until the next unlock.
    public func lock() async {
        rule.lockByHand()
        prompt?.cancel()
        pin.clear()
        forgetCompletion()
        await vault.lock()
    }
}

// Calls by the user.
extension AppUnlockObject {
    /// Shows the system's prompt, unless one is up.
    public func unlockWithBiometric() async { await unlock(by: words ?? ourWords, in: .local) }

    /// Shows the device's own authentication, in system mode (S-06).
    public func unlockWithSystem() async {
        var words = words ?? ourWords
        words.fallbackTitle = ""  // There is no PIN of ours to fall back to.
        await unlock(by: words, in: .system)
    }

    /// Tries a PIN or password.
    public func unlockWithPassword(_ secret: borrowing SecretBytes) async {
        rule.spend()
        if snapshot?.migration == .half {
            guard !isCalling else { return }
            completion = Completion(former: HeldSecret(secret.copy()))
            return await complete { _ in }
        }
        let isOlderCopy = snapshot?.isOlderCopy ?? false
        let offers = snapshot.map { $0.appUnlockState == .revoked && $0.capability.available } ?? false
        await attempt { () throws(VaultError) in
            let given = try await vault.unlock(with: secret)
            if let asked = confirmation {
                try await accept(asked, given)
            } else if isOlderCopy {
                proof = consume given
            } else if offers {
                authorization = consume given
            }
        }
    }

    /// Tries the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await unlockWithPassword(typed)
    }

    /// Returns the owner's consent to biometrics, given now: for the button below the explanation (F-107-02).
    public func consent() -> BiometricConsent { BiometricConsent(ownerAgreedAt: vault.now) }

    /// Turns biometrics on again after a revocation; without consent they stay off.
    public func answerOffer(_ consent: BiometricConsent?) async {
        // The offer goes with its proof, whatever the answer.
        var given = authorization.take()
        guard given != nil else { return }
        guard let consent else { return show() }
        await attempt { () throws(VaultError) in
            if let proof = given.take() { try await vault.enableBiometrics(consent, proof) }
        }
    }

    /// Asks for the former PIN; see `finishMoving`.
    func askForFormerPIN() async -> Bool {
        // Ask the vault: its latest snapshot may not have arrived yet, and the migration must not be completed twice.
        let hadSession = snapshot?.state.hasSession ?? false
        for await now in await vault.snapshots() {
            guard now.migration == .half else { return true }
            // A lock or the background may have ended the change meanwhile.
            guard around.phase != .background, !hadSession || now.state.hasSession else { return false }
            break
        }
        forgetCompletion()
        around.completion = .secret
        show()
        return await withCheckedContinuation { mover = $0 }
    }

    /// Leaves the vault half migrated.
    func leaveHalf() {
        forgetCompletion()
        refuse(nil)
    }

    /// Continues the migration with the inputs so far and one more.
    func complete(_ add: (inout Completion) -> Void) async {
        guard var given = completion, let snapshot, !isCalling else { return }
        add(&given)
        completion = given
        // Biometrics that can't be kept are offered again.
        let offers = snapshot.capability.available && (given.goesWithout || snapshot.biometrics != .enabled)
        await actBehindPrompt { [self, given] () throws(VaultError) in
            let proof: StrongAuthorization
            do throws(VaultError) {
                proof = try await vault.completeMigration(
                    with: given.former.bytes,
                    newSecret: given.new?.bytes.copy(),
                    keepingBothAs: given.name,
                    prompt: words ?? ourWords,
                    withoutBiometrics: given.goesWithout
                )
            } catch {
                // A lock or the background may have ended it meanwhile.
                guard completion != nil else { throw error }
                if let next = CompletionStep(after: error.code) {
                    around.completion = next
                    forgetInTime(snapshot.policy.locksAfterIdle)
                } else {
                    completion = nil
                    // If a change is waiting, ask for the PIN again.
                    around.completion = mover == nil ? nil : .secret
                }
                throw error
            }
            forgetCompletion(isMoved: true)
            if offers { authorization = consume proof }
        }
    }

    /// The former PIN was right, so a passer-by would need no other: forget it after the vault's idle time.
    private func forgetInTime(_ span: Milliseconds) {
        forgetting?.cancel()
        forgetting = Task { [weak self, sleep] in
            await sleep(span)
            guard !Task.isCancelled else { return }
            self?.leaveHalf()
        }
    }

    private func forgetCompletion(isMoved: Bool = false) {
        forgetting?.cancel()
        forgetting = nil
        completion = nil
        around.completion = nil
        mover.take()?.resume(returning: isMoved)
    }

    /// Accepts a restored older copy as the vault.
    ///
    /// If the strong factor was not given recently, `screen` becomes `.olderCopy(.secret)`, which asks for it and then
    /// continues.
    ///
    /// - Parameters:
    ///   - typed: the confirmation that the user typed.
    ///   - given: a proof that the app has, such as from a recovery key.
    public func acceptOlderCopy(typed: String, _ given: consuming StrongAuthorization? = nil) async {
        guard !isCalling else { return }
        if let given = consume given { proof = consume given }
        guard let confirmed = try? OlderCopyConfirmation(typed: typed) else { return refuse(.confirmationMissing) }
        guard proof != nil else { return askForSecret(confirmed) }
        await attempt { () throws(VaultError) in
            guard let vouching = proof.take() else { return }
            do throws(VaultError) {
                try await accept(confirmed, vouching)
            } catch {
                guard error.code == .authorizationExpired else { throw error }
                askForSecret(confirmed)
            }
        }
    }

    /// Leaves an older copy as it is: until it locks, the session can only export.
    public func onlyExport() {
        endOlderCopy()
        refuse(nil)
    }

    /// Asks again whether to accept an older copy; does nothing if none is open.
    public func askAboutOlderCopy() {
        guard let snapshot, snapshot.isOpenOlderCopy else { return }
        around.olderCopy = .question
        show()
    }

    private func accept(
        _ confirmed: OlderCopyConfirmation,
        _ given: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await vault.acceptOlderCopy(confirmed, given)
        endOlderCopy()
    }

    private func askForSecret(_ confirmed: OlderCopyConfirmation) {
        confirmation = confirmed
        around.olderCopy = .secret
        show()
    }

    private func endOlderCopy() {
        proof = nil
        confirmation = nil
        around.olderCopy = nil
    }

    /// Erases the wallet; `typed` is the confirmation that the user typed (A61).
    public func reset(typed: String) async {
        await attempt { () throws(VaultError) in
            try await erase(ResetConfirmation(typed: typed))
        }
    }

    /// Erases the wallet, for a screen that shows the refusal itself.
    func erase(_ confirmation: ResetConfirmation) async throws(VaultError) {
        try await vault.reset(confirmation)
        around.isErased = true
        show()
    }
}

// Snapshots of the vault.
extension AppUnlockObject {
    private func take(_ snapshot: VaultSnapshot) {
        let hadSession = self.snapshot?.state.hasSession ?? false
        let wasOlderCopy = self.snapshot?.isOpenOlderCopy ?? false
        self.snapshot = snapshot
        if snapshot.isOpenOlderCopy, !wasOlderCopy { around.olderCopy = .question }
        if snapshot.isCovered { around.awaitsCover = false }
        if hadSession, !snapshot.state.hasSession {
            // Errors and typed secrets belong to the session that has ended.
            refusal = nil
            authorization = nil
            pin.clear()
            endOlderCopy()
            forgetCompletion()
        }
        let prompts = rule.next(snapshot, isInFront: around.phase == .active)
        show()
        countDown()
        guard prompts else { return }
        Task {
            switch snapshot.mode {
            case .local: await unlockWithBiometric()
            case .system: await unlockWithSystem()
            }
        }
    }

    /// Runs one call, which takes the offer of biometrics off the screen.
    private func attempt(_ body: () async throws(VaultError) -> Void) async {
        guard !isCalling else { return }
        authorization = nil
        await act(body)
    }

    private func unlock(by words: PromptText, in mode: UnlockMode) async {
        rule.spend()
        await actBehindPrompt { [vault] () throws(VaultError) in try await vault.unlock(by: words, in: mode) }
    }

    /// Prompts in a separate task, which is cancelled with this one, by a lock, and when the app leaves the foreground.
    private func actBehindPrompt(_ body: @escaping @MainActor () async throws(VaultError) -> Void) async {
        await attempt { () throws(VaultError) in
            let task = Task { () -> VaultError? in
                do throws(VaultError) {
                    try await body()
                    return nil
                } catch {
                    return error
                }
            }
            prompt = task
            defer { prompt = nil }
            let failure = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            if let failure { throw failure }
        }
    }

    /// Asks the vault for a new snapshot when the text of a running delay changes; no timer runs while the delay is not
    /// visible.
    private func countDown() {
        countdown?.cancel()
        countdown = nil
        guard around.phase == .active, case .wait = fields.screen, case .wait(let remaining)? = snapshot?.nextAttempt
        else {
            return
        }
        let pause = Countdown.untilChange(of: remaining)
        countdown = Task { [vault, sleep] in
            await sleep(pause)
            guard !Task.isCancelled else { return }
            await vault.publish()
        }
    }

    private var ourWords: PromptText {
        let fallback: Words =
            switch secret {
            case .pin: .usePIN
            case .password: .usePassword
            }
        return PromptText(
            reason: Words.openVault.in(language),
            cancelTitle: Words.cancel.in(language),
            fallbackTitle: fallback.in(language)
        )
    }
}
