import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnRules

// Opens a session: either a finger may do, or this very command needs the PIN.
extension Context {
    /// Opens a session with a finger or face if the policy allows it, else with the PIN or password (B-03).
    ///
    /// A terminal shows one prompt and then asks for the PIN: a cancelled prompt does not reappear by itself (A33).
    /// From a descriptor the PIN's line decides: a PIN there opens the session without waiting for a finger; if the
    /// line is empty or missing, the finger's refusal is the result.
    ///
    /// - Parameters:
    ///   - linesFollow: whether the descriptor carries more than the PIN; the PIN's line is then required.
    ///   - line: the PIN's line, if it was already read.
    /// - Returns: the slot that opened.
    func openSession(_ vault: Vault, linesFollow: Bool = false, given line: HeldSecret? = nil) async throws -> SlotKind
    {
        var pin: HeldSecret?
        return try await openSession(vault, linesFollow: linesFollow, given: line, keeping: &pin)
    }

    /// - Parameter right: receives the accepted PIN; `nil` if a prompt opened the session.
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

    /// Returns the PIN or password to open the vault with; `nil` if a finger or face opened it.
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
            // Without a terminal no user has cancelled anything, and a demand without a code of its own says less than
            // naming the missing secret.
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
        // Keep what was typed while the sensor waited: it may already be the PIN.
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

    /// Proves the PIN or password for an operation that could cost coins; in system mode the device asks for its owner.
    func authorize(_ vault: Vault) async throws -> StrongAuthorization {
        var pin: HeldSecret?
        return try await authorize(vault, keeping: &pin)
    }

    /// - Parameter pin: receives the accepted PIN for `authorizeAgain`; `nil` if the device asked.
    func authorize(_ vault: Vault, keeping pin: inout HeldSecret?) async throws -> StrongAuthorization {
        if try await ready(vault).mode == .system {
            let authorization = try await unlockWithSystem(vault)
            // The lines of the descriptor are the same in every mode: read the PIN's line, which may be empty.
            if !secrets.isTerminal { _ = try secrets.readIfPresent(.pin) }
            return authorization
        }
        var typed = try await readPIN(for: vault)
        let authorization = try await authorize(vault, with: &typed)
        pin = typed
        return authorization
    }

    /// Proves the PIN or password once more, or asks the device for its owner, after a long wait.
    func authorizeAgain(_ vault: Vault, with pin: HeldSecret?) async throws -> StrongAuthorization {
        guard let pin else { return try await unlockWithSystem(vault) }
        return try await prove(pin, to: vault)
    }

    /// Reads the PIN or password that opens the vault.
    func readPIN(for vault: Vault) async throws -> HeldSecret {
        if secrets.isTerminal { try await checkDelay(vault) }
        return HeldSecret(try secrets.read(.opening(await vault.factor)))
    }

    /// Authorizes with a PIN or password that was already read.
    ///
    /// - Parameter pin: the secret read; receives the one that was accepted.
    func authorize(_ vault: Vault, with pin: inout HeldSecret) async throws -> StrongAuthorization {
        let authorization = try await retrying(&pin, on: vault) { pin in try await prove(pin, to: vault) }
        await askForLongerSecret(vault)
        return authorization
    }

    /// Asks for a longer PIN after one opened a vault on a device that protects less than when the PIN was chosen.
    private func askForLongerSecret(_ vault: Vault) async {
        if await vault.snapshot.asksForLongerSecret { output.note(StatusWarning.secretMayBeTooShort.text) }
    }

    /// Tries a PIN or password; on a terminal, asks up to three times in all unless a delay applies.
    ///
    /// - Parameters:
    ///   - secret: the secret read; receives the one that was accepted.
    ///   - meaning: the message for a refusal by an account's service.
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
                // An account's service counts attempts itself.
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

    /// Returns the failure for a wrong PIN or password, with a hint about the next attempt.
    private func refusal(of vault: Vault, _ snapshot: VaultSnapshot, _ meaning: Words) async -> Failure {
        var failure = Failure(.strongFactorRefused)
        // An account's service counts attempts itself.
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

    /// Whether one more wrong PIN suspends it: only if a recovery key can open instead.
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

    /// The prompt that accepts the device's passcode too.
    var systemPrompt: PromptText {
        PromptText(
            reason: Words("open your vault", "ouvrir votre coffre").in(output.language),
            cancelTitle: Words("Cancel", "Annuler").in(output.language),
            fallbackTitle: ""
        )
    }

    /// Refuses before asking for anything if no answer could help.
    func ready(_ vault: Vault) async throws -> VaultSnapshot {
        let snapshot = await vault.snapshot
        // If only the key that counts attempts is lost, the former app's PIN still opens.
        let isCountLost = snapshot.migration == .half && snapshot.condition == .keyMissing
        if !isCountLost, let refusal = snapshot.condition.refusal { throw Failure(refusal) }
        // A former app's PIN may require a new PIN, a name, or its owner's consent as well.
        if snapshot.migration == .half { secrets.takeLinesAsAsked() }
        // Read the lines before the device asks for its owner.
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
            // A storage fault is not a refusal, and the PIN would hit it too.
            guard error.code.category == .refused else { throw failure }
            // "Unlock with your PIN" would be wrong advice: even the right PIN would be refused.
            switch now.nextAttempt {
            case .allowed:
                // The next prompt would not accept a finger any more (F-107-06).
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

    /// Reports the remaining delay at once, instead of asking for a PIN that would not be tried.
    ///
    /// An account's service counts attempts itself.
    private func checkDelay(_ vault: Vault) async throws {
        let snapshot = await vault.snapshot
        // Without a working counter the library starts anew, and reports what that costs.
        guard await vault.account == nil, snapshot.condition == .ready else { return }
        switch snapshot.nextAttempt {
        case .allowed: return
        case .wait(let span): throw Failure(waiting: span)
        case .suspended: throw Failure(.localSecretSuspended)
        }
    }
}

extension Vault {
    /// The secret its owner proves: for an account's vault no text says "PIN".
    var factor: VaultPolicy.StrongFactor { account == nil ? .localSecret : .accountPassword }
}
