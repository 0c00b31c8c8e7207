import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

// The two ways to a session: what a finger may open, and what needs the PIN in this very command.
extension Context {
    /// Opens a session: a finger or face where the policy allows it, else the PIN or password (B-03).
    ///
    /// On a terminal that is one prompt, and then the PIN: a cancelled prompt does not come back by itself (A33). From a
    /// descriptor the PIN's line decides: a PIN in it is what opens, and nobody waits for a finger; where it is empty, or
    /// missing, the refusal of the finger is the answer.
    ///
    /// - Parameters:
    ///   - linesFollow: whether the descriptor holds more than the PIN; then its line has to be there.
    ///   - line: the PIN's line where it was read already.
    /// - Returns: what opened.
    func openSession(_ vault: Vault, linesFollow: Bool = false, given line: HeldSecret? = nil) async throws -> SlotKind
    {
        var pin: HeldSecret?
        return try await openSession(vault, linesFollow: linesFollow, given: line, keeping: &pin)
    }

    /// - Parameter right: the PIN that was; nil where a prompt opened it.
    func openSession(
        _ vault: Vault,
        linesFollow: Bool = false,
        given line: HeldSecret? = nil,
        keeping right: inout HeldSecret?
    ) async throws -> SlotKind {
        let snapshot = try await ready(vault)
        if snapshot.mode == .system {
            _ = try await unlockWithSystem(vault)
            if linesFollow, line == nil, !secrets.isTerminal { _ = try secrets.read(.pin) }
            return .system
        }
        guard let pin = try await pin(insteadOfFingerOn: vault, snapshot, linesFollow, line) else { return .biometric }
        try await checkDelay(vault)
        var typed = pin
        let way = try await retrying(&typed, on: vault) { pin in try await open(vault, with: pin) }
        right = typed
        await askForLongerSecret(vault)
        return way
    }

    /// The PIN or password that is to open the vault; nil where a finger or face has.
    private func pin(
        insteadOfFingerOn vault: Vault,
        _ snapshot: VaultSnapshot,
        _ linesFollow: Bool,
        _ line: HeldSecret?
    ) async throws -> HeldSecret? {
        guard secrets.isTerminal else {
            let factor = await vault.factor
            let pin = try line ?? readLine(.opening(factor), isNeeded: linesFollow)
            if let pin, pin.bytes.byteCount > 0 || snapshot.biometrics == .disabled { return pin }
            guard snapshot.biometrics != .disabled else { throw Failure(.inputClosed) }
            guard let refusal = try await refusalOfBiometrics(vault, snapshot) else { return nil }
            guard options.secretDescriptor == nil else { throw refusal }
            // Where nobody could be asked nobody has cancelled; and a demand that has no code of its own says less than what is
            // missing.
            switch refusal.code {
            case .promptCancelled: throw Failure(.inputClosed)
            case .strongFactorRequired:
                throw Failure(
                    .inputClosed,
                    Words("the PIN or password is needed", "il faut le code ou mot de passe").naming(factor)
                )
            default: throw refusal
            }
        }
        let refusal = try await refusalOfBiometrics(vault, snapshot)
        if snapshot.biometrics != .disabled, refusal == nil { return nil }
        if let refusal { output.note(refusal) }
        try await checkDelay(vault)
        // What was typed since the sensor was asked may be the PIN already.
        let question = Question.opening(await vault.factor)
        guard let typed = try secrets.readIfPresent(question, keepingTypedAhead: true) else {
            throw refusal ?? Failure(.inputClosed)
        }
        return HeldSecret(typed)
    }

    private func readLine(_ question: Question, isNeeded: Bool) throws(Failure) -> HeldSecret? {
        if isNeeded { return HeldSecret(try secrets.read(question)) }
        guard let typed = try secrets.readIfPresent(question) else { return nil }
        return HeldSecret(typed)
    }

    /// Takes the PIN or password for what could cost coins; in system mode the device asks for its owner.
    func authorize(_ vault: Vault) async throws -> StrongAuthorization {
        var pin: HeldSecret?
        return try await authorize(vault, keeping: &pin)
    }

    /// - Parameter pin: what was right, for `authorizeAgain`; nil where the device asked.
    func authorize(_ vault: Vault, keeping pin: inout HeldSecret?) async throws -> StrongAuthorization {
        if try await ready(vault).mode == .system {
            let authorization = try await unlockWithSystem(vault)
            // What follows never depends on the mode: the PIN's line is there, and may be empty.
            if !secrets.isTerminal { _ = try secrets.readIfPresent(.pin) }
            return authorization
        }
        var typed = try await readPIN(for: vault)
        let authorization = try await authorize(vault, with: &typed)
        pin = typed
        return authorization
    }

    /// Proves the PIN or password once more, or asks the device for its owner, for what comes after a long wait.
    func authorizeAgain(_ vault: Vault, with pin: HeldSecret?) async throws -> StrongAuthorization {
        guard let pin else { return try await unlockWithSystem(vault) }
        return try await prove(pin, to: vault)
    }

    /// Takes the PIN or password that is to open the vault.
    func readPIN(for vault: Vault) async throws -> HeldSecret {
        if secrets.isTerminal { try await checkDelay(vault) }
        return HeldSecret(try secrets.read(.opening(await vault.factor)))
    }

    /// The same once it was read.
    ///
    /// - Parameter pin: what was read, and then what was right.
    func authorize(_ vault: Vault, with pin: inout HeldSecret) async throws -> StrongAuthorization {
        let authorization = try await retrying(&pin, on: vault) { pin in try await prove(pin, to: vault) }
        await askForLongerSecret(vault)
        return authorization
    }

    /// Tries a PIN or password; on a terminal a wrong one is asked for again, three times in all, as long as nothing has to wait.
    ///
    /// - Parameters:
    ///   - secret: what was read, and then what was right.
    ///   - meaning: what a refusal by an account's service says.
    func retrying<Result: ~Copyable>(
        _ secret: inout HeldSecret,
        on vault: Vault,
        meaning: Words = Self.wrongPassword,
        _ body: (HeldSecret) async throws -> Result
    ) async throws -> Result {
        var tries = Tries(of: secrets)
        while true {
            do { return try await body(secret) } catch {
                guard Failure(error).code == .strongFactorRefused else { throw error }
                let snapshot = await vault.snapshot
                let failure = await refusal(of: vault, snapshot, meaning)
                // The service of an account counts for itself.
                let isCounted = await vault.account == nil
                guard tries.hasMore, !isCounted || snapshot.nextAttempt == .allowed else { throw failure }
                tries.next(
                    after: failure.hint ?? Words(failure.message(in: output.language)),
                    endsAtNext: isCounted && AttemptSchedule.freeTries(after: snapshot.failedAttempts) < 2
                )
                secret = HeldSecret(try secrets.read(.opening(await vault.factor)))
            }
        }
    }

    static let wrongSecret = Words("the PIN or password is wrong", "le code ou mot de passe est faux")

    static let wrongPassword = wrongSecret.naming(.accountPassword)

    /// What a wrong PIN or password ends with, and what it says of the next.
    private func refusal(of vault: Vault, _ snapshot: VaultSnapshot, _ meaning: Words) async -> Failure {
        var failure = Failure(.strongFactorRefused)
        // The service of an account counts for itself.
        guard await vault.account == nil else {
            failure.hint = meaning
            return failure
        }
        switch snapshot.nextAttempt {
        case .allowed:
            let count = AttemptSchedule.freeTries(after: snapshot.failedAttempts)
            failure.hint =
                Self.wrongSecret
                + Words(
                    count == 1 ? "; 1 more try before a wait" : "; \(count) more tries before a wait",
                    count == 1 ? " ; encore 1 essai avant une attente" : " ; encore \(count) essais avant une attente"
                )
        case .wait(let span):
            failure.hint =
                Self.wrongSecret + Words("; the next try is in ", " ; prochain essai dans ") + .span(span)
                + (suspendsAtNext(snapshot) ? Self.lastBeforeSuspension : Words(""))
                + Words(": ", " : ")
                + Advice.wait(Advice.Known(snapshot))
        case .suspended: failure.advised = .localSecretSuspended
        }
        return failure
    }

    /// Whether the next wrong PIN is suspended: there is a recovery key that opens in its place.
    private func suspendsAtNext(_ snapshot: VaultSnapshot) -> Bool {
        snapshot.failedAttempts + 1 == AttemptSchedule.suspensionLimit && snapshot.recoveryKey == .there
            && !snapshot.isOlderCopy && snapshot.ledgerIsReliable
    }

    private static let lastBeforeSuspension = Words(
        ", and is the last: if it is wrong, only the recovery key opens",
        ", et c'est le dernier : s'il est faux, seule la clé de secours ouvre"
    )

    private func unlockWithSystem(_ vault: Vault) async throws(VaultError) -> StrongAuthorization {
        let former = await vault.snapshot
        let authorization = try await vault.unlockWithSystem(systemPrompt)
        await tellOfPolicy(vault, since: former)
        return authorization
    }

    /// The words on the prompt that takes the device's passcode too.
    var systemPrompt: PromptText {
        PromptText(
            reason: Words("open your vault", "ouvrir votre coffre").in(output.language),
            cancelTitle: Words("Cancel", "Annuler").in(output.language),
            fallbackTitle: ""
        )
    }

    /// Refuses before anything is asked where no answer could help.
    func ready(_ vault: Vault) async throws -> VaultSnapshot {
        let snapshot = await vault.snapshot
        // Where only what counts guesses is lost, the former app's PIN opens still.
        let isCountLost = snapshot.migration == .half && snapshot.condition == .keyMissing
        if !isCountLost, let refusal = snapshot.condition.refusal { throw Failure(refusal) }
        // A former app's PIN may want a new one besides, a name, or its owner's word.
        if snapshot.migration == .half { secrets.takeLinesAsAsked() }
        // Before the device asks for its owner.
        try secrets.takeLines()
        return snapshot
    }

    private func refusalOfBiometrics(_ vault: Vault, _ snapshot: VaultSnapshot) async throws -> Failure? {
        guard snapshot.biometrics != .disabled else { return nil }
        let prompt = PromptText(
            reason: Words("open your vault", "ouvrir votre coffre").in(output.language),
            cancelTitle: Words("Cancel", "Annuler").in(output.language),
            fallbackTitle: Words("Use PIN", "Saisir le code").naming(await vault.factor).in(output.language)
        )
        do throws(VaultError) {
            try await vault.unlockWithBiometrics(prompt)
            return nil
        } catch {
            var failure = Failure(error)
            let now = await vault.snapshot
            failure.factor = await vault.factor
            failure.name(now.capability.biometryType)
            // A fault of storage is no refusal, and a PIN would meet it too.
            guard error.code.category == .refused else { throw failure }
            // "Unlock with your PIN" would be refused too, and the right one as well.
            switch now.nextAttempt {
            case .allowed:
                // The next prompt asks nobody any more (F-107-06).
                if error.code == .biometricsNotRecognised, !now.takesAnotherFinger {
                    failure.advised = .strongFactorRequired
                }
            case .wait(let span):
                failure.hint =
                    Words("the PIN opens in ", "le code ouvre dans ") + .span(span) + Words("; ", " ; ")
                    + Advice.wait(Advice.Known(now, error.retryAfter != nil && error.recoveryKeyOpens))
            case .suspended: failure.advised = .localSecretSuspended
            }
            return failure
        }
    }

    /// Says at once how long to wait, instead of asking for a PIN that would not be tried.
    ///
    /// An account's service counts for itself.
    private func checkDelay(_ vault: Vault) async throws {
        let snapshot = await vault.snapshot
        // Where nothing counts any more, the library begins anew, and says what that costs.
        guard await vault.account == nil, snapshot.condition == .ready else { return }
        switch snapshot.nextAttempt {
        case .allowed: return
        case .wait(let span): throw Failure(waiting: span)
        case .suspended: throw Failure(.localSecretSuspended)
        }
    }
}

extension Vault {
    /// What its owner proves: on an account's vault no text says "PIN".
    var factor: VaultPolicy.StrongFactor { account == nil ? .localSecret : .accountPassword }
}
