import Thumbturn
public import ThumbturnCrypto
import ThumbturnRules

// Calls by the user.
extension RecoverModel {
    /// Continues with what the step asks for: the recovery key, a new PIN or password, the same again.
    ///
    /// A mistyped key and a weak PIN are refused at once; the vault is asked only when all of it is known.
    public func enter(_ typed: borrowing SecretBytes) async {
        guard !isCalling, let snapshot else { return }
        switch fields.step {
        case .key: await take(key: typed, of: snapshot)
        case .newSecret: choose(typed, under: snapshot.assurance)
        case .repeated: await recover(repeating: typed)
        case .opening, .olderCopy, .working, .opened, .erase, .done: break
        }
    }

    /// Continues with the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await enter(typed)
    }

    /// Accepts an older copy as the vault with the recovery key, then asks for a new PIN or password.
    ///
    /// - Parameter typed: the confirmation that the user typed.
    public func acceptOlderCopy(typed: String) async {
        guard !isCalling, fields.step == .olderCopy, let key else { return }
        guard let confirmed = try? OlderCopyConfirmation(typed: typed) else { return refuse(.confirmationMissing) }
        await ask(then: .newSecret) { [vault] () throws(VaultError) in
            try await vault.acceptOlderCopy(confirmed, try await vault.unlock(withRecoveryKey: key.bytes))
        }
    }

    /// Opens an older copy with the recovery key as it is: the session only exports.
    public func onlyExport() async {
        guard !isCalling, fields.step == .olderCopy, let key else { return }
        await open(with: key)
    }

    /// Asks for the confirmation that erases everything, of an owner who has no recovery key.
    public func askToErase() { move(from: .key, to: .erase) }

    /// Asks for the recovery key again.
    public func useRecoveryKey() {
        guard fields.recoveryKeyMayOpen else { return }
        move(from: .erase, to: .key)
    }

    /// Erases everything; `typed` is the confirmation that the user typed (S-07).
    public func erase(typed: String) async {
        guard !isCalling, fields.step == .erase else { return }
        guard let confirmed = try? ResetConfirmation(typed: typed) else { return refuse(.confirmationMissing) }
        var isErased = false
        await ask(then: .done) { [lock] () throws(VaultError) in
            guard let lock else { throw VaultError(.locked) }
            try await lock.erase(confirmed)
            isErased = true
        }
        // The session that it ended, or the background, may have taken the screen back to its beginning.
        if isErased, reached != .done { finish() }
    }

    /// Goes on to the open vault, once its owner has read why its PIN or password stays the same.
    public func goOn() {
        guard fields.step == .opened else { return }
        finish()
    }
}

// The steps.
extension RecoverModel {
    private func take(key typed: borrowing SecretBytes, of snapshot: VaultSnapshot) async {
        do throws(VaultError) {
            _ = try RecoveryKey.parse(typed)
        } catch {
            return refuse(error.code)
        }
        let typed = HeldSecret(typed.copy())
        key = typed
        if snapshot.isOlderCopy { return move(from: .key, to: .olderCopy) }
        guard snapshot.recoverySetsSecret else { return await open(with: typed) }
        move(from: .key, to: .newSecret)
    }

    private func choose(_ typed: borrowing SecretBytes, under assurance: Assurance) {
        if let weakness = typed.withBytes({ LocalSecretRules.weakness(of: $0, under: assurance) }) {
            return refuse(weakness)
        }
        chosen = HeldSecret(typed.copy())
        move(from: .newSecret, to: .repeated)
    }

    private func recover(repeating typed: borrowing SecretBytes) async {
        guard let key, let chosen, SecretBytes.constantTimeEqual(chosen.bytes, typed) else {
            self.chosen = nil
            reached = .newSecret
            return refuse(.confirmationDiffers)
        }
        await ask(then: .done) { [vault] () throws(VaultError) in
            _ = try await vault.recover(with: key.bytes, newSecret: chosen.bytes)
        }
    }

    /// Opens the vault with the key alone.
    private func open(with key: HeldSecret) async {
        await ask(then: .done) { [vault] () throws(VaultError) in
            _ = try await vault.unlock(withRecoveryKey: key.bytes)
        }
    }

    /// Runs one call to the vault, and goes on to `next`, or back to what was wrong.
    private func ask(
        then next: RecoverFields.Step,
        _ body: @escaping @MainActor () async throws(VaultError) -> Void
    ) async {
        let (before, former) = (clears, fields.step)
        reached = .working
        await act { [self] () throws(VaultError) in
            do throws(VaultError) {
                try await call.run(body)
            } catch {
                guard clears == before else { return }
                await goBack(from: former, because: error.code)
                throw error
            }
            guard clears == before else { return }
            reached = next
        }
        if clears == before, reached == .done { finish() }
    }

    /// Goes back to the input that was refused; where the key has opened the vault all the same, says so.
    private func goBack(from former: RecoverFields.Step, because code: ErrorCode) async {
        chosen = nil
        switch (former, code) {
        case (.erase, _):
            reached = .erase
        case (_, .recoveryKeyMalformed), (_, .recoveryMissing), (_, .strongFactorRefused):
            (key, reached) = (nil, .key)
        case (_, .secretTooShort), (_, .secretTooCommon), (_, .secretTooWeakForDevice), (_, .secretMalformed):
            reached = .newSecret
        default:
            key = nil
            reached = await isOpen ? .opened : .key
        }
    }

    /// Whether a session is open now: the vault itself is asked, since its latest snapshot may not have arrived.
    private var isOpen: Bool {
        get async {
            for await now in await vault.snapshots() { return now.state.hasSession }
            return false
        }
    }

    private func finish() {
        (key, chosen) = (nil, nil)
        reached = .done
        refuse(nil)
        ended()
    }

    private func move(from former: RecoverFields.Step, to next: RecoverFields.Step) {
        guard !isCalling, fields.step == former else { return }
        reached = next
        refuse(nil)
    }
}
