import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// Turns system authentication on and off, for iOS 15 and 16, macOS 12 and 13, and Linux.
///
/// From iOS 17 and macOS 14, `SystemSettingsModel` is the same and observable. A change has several steps: `agree()`
/// below the warning, then `enter(_:)` for each secret that `step` asks for. The members of `fields` are also members
/// of the model.
@MainActor
public class SystemSettingsObject: ScreenModel<SystemSettingsFields> {
    /// The kind of secret that the owner types: the old one, and a new one.
    public let secret: SecretKind
    /// The PIN during entry.
    public let pin = PINEntry()

    private let vault: any SystemSettingsVault
    private let offer: SystemModeOffer?
    private var snapshot: VaultSnapshot?
    private var around = SystemSettingsFields.Surroundings()
    private var consent: SystemModeConsent?
    private var exit: SystemModeExit?
    private var chosen: SecretBytes?
    private let recoveryKey: RecoveryKeyMaker
    private var cancels = 0
    private var follower: Task<Void, Never>?

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` whose mode is changed.
    ///   - offer: the feature flag's offer to this user; nil only hides turning on.
    ///   - secret: the kind of secret that the owner types.
    public init(_ vault: any SystemSettingsVault, offer: SystemModeOffer?, secret: SecretKind = .pin(length: 6)) {
        self.vault = vault
        recoveryKey = RecoveryKeyMaker(vault)
        self.offer = offer
        self.secret = secret
        super.init(SystemSettingsFields(nil, around))
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() {
                let obstacle = await vault.obstacleToSystemAuthentication(offer)
                self?.take(snapshot, obstacle)
            }
        }
    }

    /// Shows one snapshot without a vault, for a preview or a test of a screen.
    ///
    /// - Parameters:
    ///   - snapshot: the state to show.
    ///   - obstacle: why system authentication can't be turned on; nil when it can.
    ///   - secret: the kind of secret that the owner types.
    public convenience init(
        showing snapshot: VaultSnapshot,
        obstacle: ErrorCode? = nil,
        secret: SecretKind = .pin(length: 6)
    ) {
        self.init(SnapshotVault(snapshot: snapshot, obstacle: obstacle), offer: nil, secret: secret)
        take(snapshot, obstacle)
    }

    deinit { follower?.cancel() }

    /// Shows these fields and this key, of a vault that says nothing: for a preview.
    package func hold(_ fields: SystemSettingsFields, key: borrowing SecretBytes) {
        recoveryKey.hold(key)
        hold(fields)
    }

    override func described() -> SystemSettingsFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        return SystemSettingsFields(snapshot, around)
    }
}

extension SystemSettingsObject {
    /// Records that the owner has read the warning and agrees: call it from the button below the warning.
    ///
    /// The next step is the secret to replace, or in system mode the system's prompt and then a new secret.
    public func agree() async {
        guard begin() else { return }
        let agreed = SystemModeConsent(to: fields.warning, ownerAgreedAt: vault.now)
        guard fields.isOn else {
            consent = agreed
            around.step = .secret
            return end(nil)
        }
        let before = cancels
        do throws(VaultError) {
            let given = try await vault.confirmSystemExit(agreed, prompt)
            guard cancels == before else { return end(nil) }
            exit = consume given
            around.step = .newSecret
            end(nil)
        } catch {
            end(cancels == before ? error.code : nil)
        }
    }

    /// Turns system authentication on by a finger or face instead of the PIN, where the policy allows that (C15).
    ///
    /// Call it while `step` is `.secret` and `biometry` is not nil. The vault locks first, and the finger or face opens
    /// it again: whoever is not recognised is on the lock screen.
    public func enableByBiometrics() async {
        guard fields.biometry != nil, begin() else { return }
        guard let offer, let consent else { return end(.systemModeNotOffered) }
        let before = cancels
        do throws(VaultError) {
            try await vault.enableSystemAuthentication(offer, consent, byBiometrics: prompt)
            forget()
            end(nil)
        } catch {
            forget()
            end(cancels == before ? error.code : nil)
        }
    }

    private var prompt: PromptText {
        PromptText(
            reason: Words.openVault.in(language),
            cancelTitle: Words.cancel.in(language),
            fallbackTitle: ""
        )
    }

    /// Continues with the secret that the step asks for.
    public func enter(_ secret: borrowing SecretBytes) async {
        guard begin() else { return }
        switch around.step {
        case .warning: end(.consentMissing)
        case .secret: await enable(with: secret)
        case .newSecret: choose(secret)
        case .repeated: await disable(repeating: secret)
        case .recoverySecret: await showRecoveryKey(by: secret)
        case .recoveryKey: end(.consentMissing)
        case .recoveryKeyTyped: await takeBack(secret)
        }
    }

    /// Makes the recovery key that system authentication requires (C15).
    ///
    /// The next step is the secret; then the key is shown until `recoveryKeyIsWritten()`, and finally `enter(_:)` asks
    /// for it.
    public func makeRecoveryKey() {
        guard !isCalling, fields.obstacle == .recoveryKeyRequired else { return }
        forget()
        around.step = .recoverySecret
        refuse(nil)
    }

    /// Lends the recovery key while it is shown, as ASCII; nil if none is.
    public func withRecoveryKey<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result? {
        try recoveryKey.withKey(body)
    }

    /// Removes the key, which the owner has written down, from the screen and from memory, and asks for it.
    public func recoveryKeyIsWritten() {
        guard around.step == .recoveryKey else { return }
        recoveryKey.keyIsWritten()
        around.step = .recoveryKeyTyped
        show()
    }

    /// Submits the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await enter(typed)
    }

    /// Returns to the warning, and forgets the consent and the typed secrets.
    ///
    /// A call that still waits for proof of the secret or for the prompt does not continue (A61).
    public func cancel() {
        cancels += 1
        forget()
        refuse(nil)
    }

    /// Reads the state of vault and device again.
    public func refresh() async {
        guard begin() else { return }
        do throws(VaultError) {
            _ = try await vault.refresh()
            end(nil)
        } catch {
            end(error.code)
        }
    }
}

// The steps.
extension SystemSettingsObject {
    private func enable(with secret: borrowing SecretBytes) async {
        guard let offer, let consent else { return end(.systemModeNotOffered) }
        let before = cancels
        do throws(VaultError) {
            let authorization = try await vault.unlock(with: secret)
            guard cancels == before else { return end(nil) }
            if consent.warning == .enablingWithoutRecovery {
                try await vault.enableSystemAuthentication(offer, consent, authorization, provedBy: prompt)
            } else {
                try await vault.enableSystemAuthentication(offer, consent, authorization)
            }
            forget()
            end(nil)
        } catch {
            // A wrong secret can be typed again; after any other error the warning comes first.
            if error.code != .strongFactorRefused { forget() }
            end(cancels == before ? error.code : nil)
        }
    }

    private func showRecoveryKey(by secret: borrowing SecretBytes) async {
        let proof = OwnerProof.secret(HeldSecret(secret.copy()))
        let before = cancels
        do throws(VaultError) {
            let isShown = try await recoveryKey.make(by: proof) {
                cancels == before && around.step == .recoverySecret
            }
            if isShown { around.step = .recoveryKey }
            end(nil)
        } catch {
            if error.code != .strongFactorRefused { forget() }
            end(cancels == before ? error.code : nil)
        }
    }

    private func takeBack(_ typed: borrowing SecretBytes) async {
        let before = cancels
        do throws(VaultError) {
            if try await recoveryKey.takeBack(typed, while: { cancels == before }) { forget() }
            end(nil)
        } catch {
            if !error.code.allowsKeyAgain { forget() }
            end(cancels == before ? error.code : nil)
        }
    }

    /// Refuses a secret that the vault would refuse, so that the system's prompt need not be repeated.
    private func choose(_ secret: borrowing SecretBytes) {
        let assurance = snapshot?.capability.assurance ?? .hardwareBound
        if let weakness = secret.withBytes({ LocalSecretRules.weakness(of: $0, under: assurance) }) {
            return end(weakness)
        }
        chosen = secret.copy()
        around.step = .repeated
        end(nil)
    }

    private func disable(repeating secret: borrowing SecretBytes) async {
        guard isChosen(secret) else {
            around.step = .newSecret
            return end(.confirmationDiffers)
        }
        guard let leaving = exit.take() else { return end(.authorizationExpired) }
        do throws(VaultError) {
            try await vault.disableSystemAuthentication(leaving, newSecret: secret)
            forget()
            end(nil)
        } catch {
            forget()
            end(error.code)
        }
    }

    /// Whether this equals the first input, which is forgotten.
    private func isChosen(_ secret: borrowing SecretBytes) -> Bool {
        guard let first = chosen.take() else { return false }
        return SecretBytes.constantTimeEqual(first, secret)
    }

    private func take(_ snapshot: VaultSnapshot, _ obstacle: ErrorCode?) {
        let wasCovered = self.snapshot?.isCovered ?? false
        self.snapshot = snapshot
        around.obstacle = obstacle
        // Only when it becomes covered: the system's own prompt covers too, and its confirmation must be kept.
        if snapshot.isCovered, !wasCovered { forget() }
        if !snapshot.state.hasSession {
            forget()
            refusal = nil
        }
        show()
    }

    private func forget() {
        consent = nil
        exit = nil
        chosen = nil
        recoveryKey.wipe()
        pin.clear()
        around.step = .warning
    }

    private func begin() -> Bool {
        guard !isCalling else { return false }
        isCalling = true
        refuse(nil)
        return true
    }

    private func end(_ code: ErrorCode?) {
        isCalling = false
        refuse(code)
    }
}
