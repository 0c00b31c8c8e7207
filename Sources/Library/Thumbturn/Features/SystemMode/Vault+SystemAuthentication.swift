import ThumbturnBase
import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// System authentication (seed 000): the device's own prompt opens the vault, with no secret of ours.
extension Vault {
    /// Returns why system authentication can't be enabled now; nil when an interface may offer it (S-01).
    ///
    /// Answers from the last look at vault and device; `refresh` looks again.
    public func obstacleToSystemAuthentication(_ offer: SystemModeOffer?) -> ErrorCode? {
        var facts = SystemModeFacts(
            isOffered: offer != nil && device.kind.takesPasscode,
            hasRecoveryKey: state.head.slot(.recovery) != nil,
            mayHavePasscode: state.capability.reasonIfUnavailable != .noPasscode,
            assurance: device.store.assurance(of: .anyBiometryOrPasscode)
        )
        facts.mode = state.mode
        facts.isHalfMigrated = state.head.migrationState == .half
        return state.head.policy.obstacleToSystemMode(facts)
    }

    /// Replaces PIN and biometrics by the device's own prompt (S-04).
    ///
    /// One transaction stores 32 new random bytes behind any finger or face or the device's passcode, and a slot that
    /// they open; then removes the slots of PIN and biometrics, with their items in the secure store (S-03). Wallets
    /// are not resealed (C20). The session stays open.
    ///
    /// - Parameters:
    ///   - offer: the feature flag's offer; its later value does not matter.
    ///   - consent: the owner agreed to `SystemModeWarning.enabling`, or to `.enablingWithoutRecovery` where the policy
    ///     allows that and there is no recovery key.
    ///   - authorization: the PIN, password or recovery key, entered just now.
    /// - Throws: `.systemModeOnly` when it is on already, `.systemModeNotOffered`, `.migrationIncomplete`,
    ///   `.recoveryKeyRequired`, `.passcodeMissing`, `.assuranceTooLow`, `.protectionDropped`, `.consentMissing`,
    ///   `.authorizationExpired`, `.locked`, or why storage failed; then nothing changed.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await enableSystemAuthentication(offer, consent, authorization, prompt: nil)
    }

    /// Replaces PIN and biometrics by the device's own prompt, which first proves that it releases the new key.
    ///
    /// Without a recovery key there is no other way: that key is then the only one (K-10).
    ///
    /// - Parameters:
    ///   - offer: as above.
    ///   - consent: as above.
    ///   - authorization: as above.
    ///   - prompt: the text on the system's prompt.
    /// - Throws: as above, and how the prompt ended; then nothing changed.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization,
        provedBy prompt: PromptText
    ) async throws(VaultError) {
        try await enableSystemAuthentication(offer, consent, authorization, prompt: prompt)
    }

    private func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization,
        prompt: PromptText?
    ) async throws(VaultError) {
        try await turn(asksSensor: device.kind.takesPasscode) { (turn) async throws(VaultError) in
            try requireLocalMode()
            let isByFinger = authorization.slot == .biometric
            let session = try openSession(authorization, in: turn)
            // Check the policy only now that this session has verified the head (C15).
            if isByFinger, !state.head.policy.allowsSystemModeFromBiometrics {
                throw VaultError(.authorizationExpired)
            }
            if let obstacle = obstacleToSystemAuthentication(offer) { throw VaultError(obstacle) }
            let hasRecoveryKey = state.head.slot(.recovery) != nil
            // Without a recovery key a finger would lead to a new PIN with nothing else in the way (C15).
            guard hasRecoveryKey || !isByFinger && prompt != nil else { throw VaultError(.recoveryKeyRequired) }
            try check(consent, to: hasRecoveryKey ? .enabling : .enablingWithoutRecovery)
            try await storeSystemSlot(for: session.id, provedBy: prompt, in: turn)
        }
    }

    /// Enables system authentication by a finger or face, if the policy allows that (C15).
    ///
    /// Locks first, and a new prompt opens the session in which the change is made: a session that is already open
    /// proves nothing.
    ///
    /// - Throws: `.authorizationExpired` when the policy requires the PIN, what `unlockWithBiometrics` throws, and as
    ///   above.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        byBiometrics prompt: PromptText
    ) async throws(VaultError) {
        let lockCount = keys.lockCount
        let now = try await refresh()
        guard now.policy.allowsSystemModeFromBiometrics else { throw VaultError(.authorizationExpired) }
        guard now.slots.contains(where: { $0.kind == .recovery }) else { throw VaultError(.recoveryKeyRequired) }
        await lock()
        // Another lock than its own must end this, or the finger would open the vault after it (A36).
        guard keys.lockCount == lockCount &+ 1 else { throw VaultError(.locked) }
        let finger = try await unlockWithBiometrics(prompt)
        try await enableSystemAuthentication(offer, consent, finger.authorization)
    }

    /// Unlocks with the device's own prompt, or proves that again in an open session (S-06).
    ///
    /// One prompt, trusted completely: no failures, idle time or reboot demand anything else. If the prompt ends
    /// without recognising the owner, the vault stays closed until it is reopened; only its recovery key and a reset
    /// are left.
    ///
    /// - Returns: the authorization that calls which could cost coins require; this mode has nothing stronger.
    /// - Throws: `.systemPromptEnded`, `.systemModeOff`, `.keyMissing` when the device lost the key (its passcode was
    ///   removed), `.passcodeMissing`, or a storage fault, which may be retried.
    @discardableResult
    public func unlockWithSystem(_ prompt: PromptText) async throws(VaultError) -> StrongAuthorization {
        let session = try await unlock(by: prompt, asking: UnlockMachine.Event.systemUnlockRequested)
        return try authorization(by: .system, in: session)
    }

    /// Asks the device to recognise its owner, before turning system authentication off (S-05).
    ///
    /// - Parameters:
    ///   - consent: the owner agreed to `SystemModeWarning.disabling`.
    ///   - prompt: the text on the system's prompt.
    /// - Returns: the evidence for `disableSystemAuthentication`, valid for 60 s and in this session.
    /// - Throws: as `unlockWithSystem`, and `.consentMissing`.
    public func confirmSystemExit(
        _ consent: SystemModeConsent,
        _ prompt: PromptText
    ) async throws(VaultError) -> SystemModeExit {
        try check(consent, to: .disabling)
        return SystemModeExit(authorization: try await unlockWithSystem(prompt))
    }

    /// Replaces system authentication by a new PIN or password (S-05).
    ///
    /// One transaction writes a new device secret, a new local slot and a new ledger; then the system's key is deleted.
    /// The vault is locked afterwards, and asks for the new PIN. The feature flag does not matter.
    ///
    /// - Parameters:
    ///   - exit: the evidence that the device recognised its owner just now.
    ///   - secret: the new PIN or password, UTF-8, which the interface has asked for twice.
    /// - Throws: `.systemModeOff`, what `LocalSecretRules` finds, `.authorizationExpired`, `.locked`, `.exportOnly`, or
    ///   why storage failed.
    public func disableSystemAuthentication(
        _ exit: consuming SystemModeExit,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) {
        try checkStrength(of: secret)
        try await turn { (turn) async throws(VaultError) in
            guard state.mode == .system else { throw VaultError(.systemModeOff) }
            let session = try openSession(exit.authorization, in: turn)
            // Lock too when the change was made but a later step failed.
            defer { if state.mode == .local { lockAtOnce() } }
            try await replaceLocalSlot(secret, for: session, recording: .systemDisabled, in: turn)
        }
    }

    private func check(_ consent: SystemModeConsent, to warning: SystemModeWarning) throws(VaultError) {
        guard consent.warning == warning,
            consent.agreedAt.isWithin(BiometricConsent.lifetime, before: device.clock())
        else { throw VaultError(.consentMissing) }
    }

    /// Has the device release what it was given, behind its own prompt.
    private func prove(
        _ intermediate: borrowing RandomSecret,
        in item: ItemName,
        _ prompt: PromptText
    ) async throws(VaultError) {
        do throws(DeviceRefusal) {
            let released = try await device.store.read(item, prompt: prompt)
            let isSame = intermediate.withBytes { bytes in
                SecretBytes.constantTimeEqual(released, SecretBytes(copying: bytes))
            }
            guard isSame else { throw .weakerThanAsked }
        } catch {
            switch error.meaning {
            case .cancelledByUser, .cancelledBySystem, .notRecognised: throw VaultError(error, at: .readCredentials)
            default: throw VaultError(error, at: .storeSystemSecret)
            }
        }
    }

    private func storeSystemSlot(
        for id: Identifier,
        provedBy prompt: PromptText?,
        in turn: borrowing Turn
    ) async throws(VaultError) {
        let intermediate = RandomSecret.make()
        let access = AccessControl.anyBiometryOrPasscode
        let item = try await storeIntermediateSecret(intermediate, behind: access, in: turn)
        do throws(VaultError) {
            if let prompt { try await prove(intermediate, in: item, prompt) }
            // The vault may have been locked while the device was busy; then there is no key left to wrap.
            guard let session, session.id == id else { throw VaultError(.locked) }
            let blank = blankSlot(.system, for: session, item: item)
            let slot = try PreparedSlot(
                blank,
                for: session,
                under: .system(intermediate),
                assurance: device.store.assurance(of: access)
            )
            var change = try change(by: session)
            for old in state.slots where old.kind.mode != nil { change.remove(old) }
            try change.add(slot)
            change.record(.systemEnabled)
            try await commit(change, for: session, in: turn)
        } catch {
            if state.slot(.system)?.item != item { await discard(VaultStore.Leftover(item: item), in: turn) }
            throw error
        }
    }
}
