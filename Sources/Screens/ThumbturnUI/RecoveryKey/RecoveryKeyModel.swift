public import ThumbturnCrypto
public import ThumbturnRules

/// Creates a recovery key, shows it once, and has it typed back.
///
/// The key is in locked memory while it is shown, and wiped when the screen is left, covered or locked. The members of
/// `fields` are also members of the model.
@MainActor
public final class RecoveryKeyModel: OwnerScreenModel<RecoveryKeyFields> {
    private let maker: RecoveryKeyMaker
    private var around = RecoveryKeyFields.Surroundings()
    /// Whether the owner has a key that was shown before, and only types it back.
    private var hasPaper = false

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` whose recovery key is made.
    ///   - secret: the kind of secret that the owner types.
    public init(_ vault: any RecoveryKeyVault, secret: SecretKind = .pin(length: 6)) {
        maker = RecoveryKeyMaker(vault)
        super.init(RecoveryKeyFields(nil, around), secret: secret)
        follow(vault)
    }

    /// Shows this key, for a preview.
    package func hold(_ fields: RecoveryKeyFields, key: borrowing SecretBytes) {
        maker.hold(key)
        hold(fields)
    }

    override func described() -> RecoveryKeyFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        around.isCaptured = isCaptured
        return RecoveryKeyFields(snapshot, around)
    }

    override func wipe() { maker.wipe() }

    override func rewind(isLeft: Bool) { if isLeft || around.step != .done { around.step = .start } }
}

extension RecoveryKeyModel {
    /// Goes on to the owner's secret, and then shows a new key.
    public func make() { begin(hasPaper: false) }

    /// Goes on to the owner's secret, and then asks for the key that was shown before.
    public func typeBack() {
        guard fields.awaitsCheck else { return }
        begin(hasPaper: true)
    }

    /// Continues with what the step asks for: the owner's secret, or the key.
    public func enter(_ typed: borrowing SecretBytes) async {
        switch around.step {
        case .secret: await go(by: .secret(HeldSecret(typed.copy())))
        case .typed: await confirm(typed)
        case .start, .key, .done: break
        }
    }

    /// Proves the owner by the device's own prompt, in system mode.
    public func enterBySystem() async {
        guard around.step == .secret else { return }
        await go(by: .system(systemPrompt))
    }

    /// Submits the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await enter(typed)
    }

    /// Lends the recovery key while it is shown, as ASCII; nil if none is.
    public func withRecoveryKey<Result>(_ body: (RawSpan) throws -> Result) rethrows -> Result? {
        guard !fields.isHidden else { return nil }
        return try maker.withKey(body)
    }

    /// Removes the key, which the owner has written down, from the screen and from memory, and asks for it.
    public func recoveryKeyIsWritten() {
        guard around.step == .key else { return }
        maker.keyIsWritten()
        around.step = .typed
        show()
    }

    private func begin(hasPaper: Bool) {
        guard !isCalling, around.step == .start else { return }
        self.hasPaper = hasPaper
        around.step = .secret
        refuse(nil)
    }

    private func go(by proof: OwnerProof) async {
        await proceed { isCurrent throws(VaultError) in
            if hasPaper {
                if try await maker.vouch(by: proof, while: isCurrent) { around.step = .typed }
            } else {
                if try await maker.make(by: proof, while: isCurrent) { around.step = .key }
            }
        }
    }

    private func confirm(_ typed: borrowing SecretBytes) async {
        await proceed { isCurrent throws(VaultError) in
            do throws(VaultError) {
                if try await maker.takeBack(typed, while: isCurrent) { around.step = .done }
            } catch {
                if isCurrent(), !error.code.allowsKeyAgain {
                    maker.wipe()
                    around.step = .start
                }
                throw error
            }
        }
    }
}
