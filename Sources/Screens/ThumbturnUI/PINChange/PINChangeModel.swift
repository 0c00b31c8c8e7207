public import ThumbturnCrypto
public import ThumbturnRules

/// Changes the PIN or password: asks for the present one, and twice for the new one (C5).
///
/// Biometrics stay as they are. What was typed is in locked memory, and wiped when the screen is left, covered or
/// locked. The members of `fields` are also members of the model.
@MainActor
public final class PINChangeModel: OwnerScreenModel<PINChangeFields> {
    private let vault: any PINChangeVault
    private var around = PINChangeFields.Surroundings()
    private var present: HeldSecret?
    private var chosen: HeldSecret?

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` whose PIN or password is changed.
    ///   - secret: the kind of secret that the owner types: the present one, and the new one.
    public init(_ vault: any PINChangeVault, secret: SecretKind = .pin(length: 6)) {
        self.vault = vault
        super.init(PINChangeFields(nil, around), secret: secret)
        follow(vault)
    }

    override func described() -> PINChangeFields {
        around.language = language
        around.isBusy = isCalling
        around.refusal = refusal
        return PINChangeFields(snapshot, around)
    }

    override func wipe() { (present, chosen) = (nil, nil) }

    override func rewind(isLeft: Bool) { if isLeft || around.step != .done { around.step = .present } }
}

extension PINChangeModel {
    /// Continues with the PIN or password that the step asks for.
    public func enter(_ secret: borrowing SecretBytes) async {
        guard fields.obstacle == nil else { return }
        switch around.step {
        case .present: await prove(secret)
        case .new: choose(secret)
        case .repeated: await change(repeating: secret)
        case .done: break
        }
    }

    /// Submits the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await enter(typed)
    }

    private func prove(_ secret: borrowing SecretBytes) async {
        let typed = HeldSecret(secret.copy())
        await proceed { isCurrent throws(VaultError) in
            _ = try await vault.unlock(with: typed.bytes)
            guard isCurrent() else { return }
            present = typed
            around.step = .new
        }
    }

    /// Refuses a secret that the vault would refuse, before it is typed again.
    private func choose(_ secret: borrowing SecretBytes) {
        guard !isCalling else { return }
        let assurance = snapshot?.assurance ?? .hardwareBound
        if let weakness = secret.withBytes({ LocalSecretRules.weakness(of: $0, under: assurance) }) {
            return refuse(weakness)
        }
        chosen = HeldSecret(secret.copy())
        around.step = .repeated
        refuse(nil)
    }

    private func change(repeating secret: borrowing SecretBytes) async {
        guard !isCalling, let present, let first = chosen else { return }
        chosen = nil
        around.step = .new
        guard SecretBytes.constantTimeEqual(first.bytes, secret) else { return refuse(.confirmationDiffers) }
        await proceed { isCurrent throws(VaultError) in
            // A proof lasts 60 s, and choosing may take longer.
            let authorization = try await vault.unlock(with: present.bytes)
            guard isCurrent() else { return }
            do throws(VaultError) { try await vault.changeLocalSecret(to: first.bytes, authorization) } catch {
                // The new one is in force all the same.
                if error.code == .formerSecretRemains { finish() }
                throw error
            }
            finish()
        }
    }

    private func finish() {
        wipe()
        around.step = .done
    }
}
