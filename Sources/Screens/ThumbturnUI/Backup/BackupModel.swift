import Thumbturn
public import ThumbturnCrypto
public import ThumbturnRules

/// Makes a backup file, and tells when the owner should be reminded of one.
///
/// The members of `fields` are also members of the model.
@MainActor
public final class BackupModel: OwnerScreenModel<BackupFields> {
    private let vault: any BackupVault
    private let path: @MainActor () -> String
    private var around = BackupFields.Surroundings()

    /// Whether the owner is paying, which no reminder interrupts: set it around a payment.
    public var isPaying = false { didSet { show() } }

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` that is backed up.
    ///   - secret: the kind of secret that the owner types.
    ///   - path: returns the path of the next backup, a file that does not exist yet and is not in the vault's folder;
    ///     for the share sheet, one in the temporary folder, which the app deletes afterwards.
    public init(
        _ vault: any BackupVault,
        secret: SecretKind = .pin(length: 6),
        to path: @escaping @MainActor () -> String
    ) {
        self.vault = vault
        self.path = path
        super.init(BackupFields(nil, around), secret: secret)
        follow(vault)
    }

    override func described() -> BackupFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        around.isPaying = isPaying
        return BackupFields(snapshot, around)
    }

    /// A backup that is being written goes on, and its file has to be known.
    override func rewind(isLeft: Bool) {
        switch around.step {
        case .start, .running: break
        case .secret: around.step = .start
        case .made: if isLeft { around.step = .start }
        }
    }

    override func look() async { around.madeAt = await vault.backupDate() }
}

extension BackupModel {
    /// Goes on to the owner's secret.
    public func start() {
        guard !isCalling, fields.obstacle == nil, around.step == .start || around.step == .made else { return }
        around.step = .secret
        refuse(nil)
    }

    /// Proves the typed PIN or password, and writes the backup.
    public func enter(_ secret: borrowing SecretBytes) async {
        await write(by: .secret(HeldSecret(secret.copy())))
    }

    /// Proves the owner by the device's own prompt, in system mode, and writes the backup.
    public func enterBySystem() async { await write(by: .system(systemPrompt)) }

    /// Submits the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await enter(typed)
    }

    /// Hides the present reminder until there is another reason for one, or a new model.
    public func dismissReminder() {
        around.dismissed = fields.advice
        show()
    }

    private func write(by proof: OwnerProof) async {
        guard around.step == .secret else { return }
        await proceed { isCurrent throws(VaultError) in
            let authorization = try await vault.authorize(by: proof)
            guard isCurrent() else { return }
            let path = path()
            (around.step, around.done) = (.running, nil)
            show()
            do throws(VaultError) {
                try await vault.backUp(to: path, authorization) { progress in
                    Task { @MainActor [weak self] in self?.report(progress) }
                }
            } catch {
                around.step = .start
                // Whoever has left meanwhile has to know too that there is no file.
                refusal = error.code == .locked ? nil : error.code
                throw error
            }
            (around.step, around.path) = (.made, path)
            around.madeAt = await vault.backupDate()
        }
    }

    private func report(_ progress: WorkProgress) {
        guard around.step == .running else { return }
        around.done = progress.done
        show()
    }
}
