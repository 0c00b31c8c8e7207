import ThumbturnBase
import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

// System authentication (seed 000): the vault opens with what the device itself asks for, and with nothing of ours.
extension Vault {
    /// Says why system authentication can't be enabled now; nil when an interface may offer it (S-01).
    ///
    /// It answers from the last look at vault and device; `refresh` looks anew.
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

    /// Puts what the device itself asks for into the place of PIN and biometrics (S-04).
    ///
    /// One transaction: 32 new random bytes behind any finger or face or the device's passcode, and a slot that they open;
    /// then the PIN's and the biometrics' slots go, with all that they had in the secure store (S-03). Wallets are not sealed
    /// anew (C20). The session goes on.
    ///
    /// - Parameters:
    ///   - offer: what the feature flag gave; whether it still gives one afterwards changes nothing.
    ///   - consent: the owner agreed to `SystemModeWarning.enabling`.
    ///   - authorization: the PIN, password or recovery key, given just now.
    /// - Throws: `.systemModeOnly` when it is on already, `.systemModeNotOffered`, `.migrationIncomplete`,
    ///   `.recoveryKeyRequired`, `.passcodeMissing`, `.assuranceTooLow`, `.protectionDropped`, `.consentMissing`,
    ///   `.authorizationExpired`, `.locked`, or why storage failed; then nothing changed.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        _ authorization: consuming StrongAuthorization
    ) async throws(VaultError) {
        try await turn(asksSensor: device.kind.takesPasscode) { () async throws(VaultError) in
            try requireLocalMode()
            let isByFinger = authorization.slot == .biometric
            let session = try openSession(authorization)
            // Asked of the head that this session has verified (C15).
            if isByFinger, !state.head.policy.allowsSystemModeFromBiometrics {
                throw VaultError(.authorizationExpired)
            }
            if let obstacle = obstacleToSystemAuthentication(offer) { throw VaultError(obstacle) }
            try check(consent, to: .enabling)
            try await storeSystemSlot(for: session.id)
        }
    }

    /// The same on the word of a finger or face, where the policy allows that (C15).
    ///
    /// It locks first, and a new prompt opens the session that the change is made in: one that is open anyway proves nothing.
    ///
    /// - Throws: `.authorizationExpired` where the policy asks for the PIN, what `unlockWithBiometrics` throws, and as above.
    public func enableSystemAuthentication(
        _ offer: SystemModeOffer,
        _ consent: SystemModeConsent,
        byBiometrics prompt: PromptText
    ) async throws(VaultError) {
        let beginning = lockCount
        let policy = try await refresh().policy
        guard policy.allowsSystemModeFromBiometrics else { throw VaultError(.authorizationExpired) }
        await lock()
        // No lock may have come but its own, or the finger would open after it (A36).
        guard lockCount == beginning &+ 1 else { throw VaultError(.locked) }
        let finger = try await unlockWithBiometrics(prompt)
        try await enableSystemAuthentication(offer, consent, finger.authorization)
    }

    /// Unlocks with what the device itself asks for, or proves that again in an open session (S-06).
    ///
    /// One prompt, trusted completely: no failures, no idle time and no reboot demand anything else. Where it ends without
    /// the owner, the vault stays closed until it is opened anew; only its recovery key and a reset are left.
    ///
    /// - Returns: what calls that could cost coins ask for; in this mode there is nothing stronger.
    /// - Throws: `.systemPromptEnded`, `.systemModeOff`, `.keyMissing` when the device lost the key (its passcode was removed),
    ///   `.passcodeMissing`, or a fault of storage, which may be tried again.
    @discardableResult
    public func unlockWithSystem(_ prompt: PromptText) async throws(VaultError) -> StrongAuthorization {
        let session = try await unlock(by: prompt, asking: UnlockMachine.Event.systemUnlockRequested)
        return try authorization(by: .system, in: session)
    }

    /// Asks the device for its owner, to turn system authentication off (S-05).
    ///
    /// - Parameters:
    ///   - consent: the owner agreed to `SystemModeWarning.disabling`.
    ///   - prompt: the words on the system's prompt.
    /// - Returns: what `disableSystemAuthentication` takes, within 60 s and in this session.
    /// - Throws: as `unlockWithSystem`, and `.consentMissing`.
    public func confirmSystemExit(
        _ consent: SystemModeConsent,
        _ prompt: PromptText
    ) async throws(VaultError) -> SystemModeExit {
        try check(consent, to: .disabling)
        return SystemModeExit(authorization: try await unlockWithSystem(prompt))
    }

    /// Puts a new PIN or password into the place of system authentication (S-05).
    ///
    /// A new device secret, a new local slot and a new ledger in one transaction; then the system's key goes. The vault is
    /// locked afterwards, and asks for the new PIN. The feature flag has no say in it.
    ///
    /// - Parameters:
    ///   - exit: the device recognised its owner just now.
    ///   - secret: the new PIN or password, UTF-8, which the interface has asked for twice.
    /// - Throws: `.systemModeOff`, what `LocalSecretRules` finds, `.authorizationExpired`, `.locked`, `.exportOnly`, or why
    ///   storage failed.
    public func disableSystemAuthentication(
        _ exit: consuming SystemModeExit,
        newSecret secret: borrowing SecretBytes
    ) async throws(VaultError) {
        try checkStrength(of: secret)
        try await turn { () async throws(VaultError) in
            guard state.mode == .system else { throw VaultError(.systemModeOff) }
            let session = try openSession(exit.authorization)
            // Also where the change stands and something after it failed.
            defer { if state.mode == .local { lockAtOnce() } }
            try await replaceLocalSlot(secret, for: session, recording: .systemDisabled)
        }
    }

    private func check(_ consent: SystemModeConsent, to warning: SystemModeWarning) throws(VaultError) {
        guard consent.warning == warning,
            consent.agreedAt.isWithin(BiometricConsent.lifetime, before: device.clock())
        else { throw VaultError(.consentMissing) }
    }

    private func storeSystemSlot(for id: Identifier) async throws(VaultError) {
        let intermediate = RandomSecret.make()
        let access = AccessControl.anyBiometryOrPasscode
        let item = try await storeIntermediateSecret(intermediate, behind: access)
        do throws(VaultError) {
            // The vault may have been locked while the device was busy: then there is no key to wrap any more.
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
            try await commit(change, for: session)
        } catch {
            if state.slot(.system)?.item != item { await discard(VaultStore.Leftover(item: item)) }
            throw error
        }
    }
}
