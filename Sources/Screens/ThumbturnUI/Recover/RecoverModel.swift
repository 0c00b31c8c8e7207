import Thumbturn
import ThumbturnCrypto
public import ThumbturnRules

/// Leads an owner out who can't open the vault: the recovery key and a new PIN or password, or erasing everything.
///
/// The key and what was chosen lie in locked memory until they are used. They are forgotten when the app goes to the
/// background, when the vault locks, and when the screen goes. The members of `fields` are also members of the model.
@MainActor public final class RecoverModel: ScreenModel<RecoverFields> {
    /// The kind of secret that the owner chooses anew.
    public let secret: SecretKind
    /// The PIN during entry.
    public let pin = PINEntry()

    let vault: any RecoverVault
    let lock: AppUnlockObject?
    let ended: @MainActor () -> Void
    let call = ScreenCall()
    private(set) var snapshot: VaultSnapshot?
    var reached: RecoverFields.Step?
    /// The recovery key, as it was typed.
    var key: HeldSecret?
    var chosen: HeldSecret?
    /// How often everything was forgotten: a call from before shows nothing any more.
    private(set) var clears = 0
    private var follower: Task<Void, Never>?

    /// Starts to follow a vault.
    ///
    /// - Parameters:
    ///   - vault: the `Vault` that its owner can't open.
    ///   - lock: the model of its lock screen, which is told when everything was erased.
    ///   - ended: called when the vault is open or erased, or the owner goes back to the lock screen.
    public convenience init(
        _ vault: any RecoverVault,
        outOf lock: AppUnlockObject,
        ended: @escaping @MainActor () -> Void
    ) {
        self.init(vault, lock: lock, secret: lock.secret, ended: ended)
    }

    /// Shows one step without a vault, for a preview or a test of the screen; opens and erases nothing.
    ///
    /// - Parameters:
    ///   - snapshot: the state of the vault.
    ///   - step: what to show; nil is the beginning.
    ///   - refusal: what was wrong with the last input.
    ///   - secret: the kind of secret that is asked for.
    public convenience init(
        showing snapshot: VaultSnapshot,
        step: RecoverFields.Step? = nil,
        refusal: ErrorCode? = nil,
        secret: SecretKind = .pin(length: nil)
    ) {
        self.init(SnapshotVault(snapshot: snapshot), lock: nil, secret: secret, ended: {})
        self.snapshot = snapshot
        reached = step
        refuse(refusal)
    }

    init(
        _ vault: any RecoverVault,
        lock: AppUnlockObject?,
        secret: SecretKind,
        ended: @escaping @MainActor () -> Void
    ) {
        self.vault = vault
        self.lock = lock
        self.secret = secret
        self.ended = ended
        super.init(RecoverFields(nil, RecoverFields.Surroundings()))
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.take(snapshot) }
        }
    }

    deinit { follower?.cancel() }

    override func described() -> RecoverFields {
        var around = RecoverFields.Surroundings(step: reached, language: language)
        around.isBusy = isCalling
        around.refusal = refusal
        return RecoverFields(snapshot, around)
    }

    private func take(_ snapshot: VaultSnapshot) {
        let hadSession = self.snapshot?.state.hasSession ?? false
        self.snapshot = snapshot
        // A lock ends what was opened with the key, and takes the key along (A36).
        if hadSession, !snapshot.state.hasSession { forget() }
        show()
    }

    /// Wipes the key and what was chosen, and goes back to the beginning.
    private func forget() {
        clears += 1
        (key, chosen) = (nil, nil)
        pin.clear()
        guard reached != .done else { return }
        reached = nil
        refuse(nil)
    }
}

// Calls by the app.
extension RecoverModel {
    /// Reports the app's phase: what is half typed is wiped when the app is not in front, and all the rest in the
    /// background.
    public func appBecame(_ phase: AppPhase) {
        switch phase {
        case .active: break
        case .inactive: pin.clear()
        case .background: forget()
        }
    }

    /// Forgets what was typed, and cancels the call in progress: the screen goes.
    public func clear() {
        forget()
        call.cancel()
    }

    /// Goes back to the lock screen, or to the vault if it is open.
    public func cancel() {
        clear()
        ended()
    }
}
