import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Path B: the content behind biometrics becomes the wallet of a vault that biometrics open.
extension Vault {
    /// Migrates what is behind biometrics when there is no vault yet (path B).
    ///
    /// - Returns: the fingerprint of the wallet found there.
    func begin(
        behind prompt: PromptText,
        _ migration: LegacyMigration,
        _ holds: LegacyBiometric,
        _ former: LegacyContents?,
        firstPIN: HeldSecret?
    ) async throws(VaultError) -> [UInt8]? {
        let attempt = newAttempt()
        return try await turnOnFolder(asksSensor: true) { (turn) async throws(VaultError) -> [UInt8]? in
            try await lookAtEmptyFolder(counts: true, in: turn)
            // The biometric slot will be the vault's first slot.
            let obstacle = state.capability.obstacle(under: migration.policy)
            for case .refuse(let code) in BiometricLifecycle(state: .disabled).handle(.enableRequested(obstacle)) {
                throw VaultError(code)
            }
            if let firstPIN { try checkStrength(of: firstPIN.bytes) }
            try await prepareCounting(in: turn)
            try await drive(.biometricUnlockRequested(decisionOnFormerPrompt), for: attempt) {
                (effect) throws(VaultError) in
                guard case .showBiometricPrompt = effect else {
                    return try await self.carryOut(effect, prompt: nil, in: &turn)
                }
                let released: SecretBytes
                do throws(DeviceRefusal) {
                    released = try await migration.wallet.readBiometric(prompt)
                } catch {
                    let refusal = self.withoutSecret(error)
                    let isGone = refusal == .absent
                    return .biometricsRefused(isGone ? DeviceRefusal.revoked.standing(for: refusal) : refusal)
                }
                guard self.machine.state.promptedSlot == .biometric else {
                    return .biometricsRefused(.cancelledBySystem)
                }
                return try await self.migrate(released, holds, migration, former, firstPIN, in: turn)
            }
            guard let session else { throw VaultError(.locked) }
            let wallets = tolerating { () throws(VaultError) in try standing(in: session) }
            return wallets?.keys.first.map { LegacyContents.fingerprint($0, in: session.vault) }
        }
    }

    /// Turns what the former app's prompt released into the wallet of a vault that biometrics open.
    private func migrate(
        _ released: consuming SecretBytes,
        _ holds: LegacyBiometric,
        _ migration: LegacyMigration,
        _ former: LegacyContents?,
        _ firstPIN: HeldSecret?,
        in turn: borrowing Turn
    ) async throws(VaultError) -> UnlockMachine.Event {
        let entropy: SecretBytes
        var pin = firstPIN
        switch holds {
        case .mnemonic:
            entropy = try LegacyContents.entropy(of: released)
        case .pin:
            guard let former else { throw VaultError(.legacyMissing) }
            entropy = try former.sealed.open(with: released, argon2id: migration.argon2id)
            // A PIN that our rules refuse completes nothing: the owner will be asked for it, and for a better one.
            if (try? checkStrength(of: released)) != nil { pin = HeldSecret(released) }
        }
        let event = MigrationMachine.Event.biometricRead(pinIsKnown: pin != nil, sealedIsThere: former != nil)
        var proof: UnlockProof?
        for order in MigrationMachine(state: state.migration).handle(event) {
            switch order {
            case .makeVault(let ways):
                proof = try await makeVault(
                    of: entropy,
                    migration,
                    former,
                    firstPIN: ways == .both ? pin : nil,
                    in: turn
                )
            case .record: break  // The change that sets the mark tells it.
            case .refuse(let code): throw VaultError(code)
            case .wrapKey, .replaceKey, .addWallet, .eraseBiometric, .eraseSealed, .finish:
                break  // A prompt never orders these.
            }
        }
        guard let proof else { throw VaultError(.storageUnavailable) }
        return .proved(proof, promptDecision)
    }

    private func makeVault(
        of entropy: borrowing SecretBytes,
        _ migration: LegacyMigration,
        _ former: LegacyContents?,
        firstPIN: HeldSecret?,
        in turn: borrowing Turn
    ) async throws(VaultError) -> UnlockProof {
        guard let counting = ledgerItem else { throw VaultError(.keyMissing) }
        let session = newSession(.make())
        keys.propose(session)
        // If nothing was sealed under a PIN, use a digest that matches nothing, so that nothing sealed later is erased.
        let digest = former?.digest ?? SHA256.digest([])
        let wallet = LegacyContents.fingerprint(LegacyContents.digest(of: entropy), in: session.vault)
        let mark = firstPIN == nil ? Head.Migration.half(sealed: digest, wallet: wallet) : .erasing(sealed: digest)
        return try await withBiometricKey(in: turn) { (intermediate, item) throws(VaultError) in
            let biometric = try self.prepareBiometricSlot(intermediate, item: item, for: session)
            guard let firstPIN else {
                return try await self.writeFirstState(
                    session,
                    with: [biometric],
                    entropy,
                    named: migration.name,
                    mark,
                    in: turn
                )
            }
            let slot = try await self.prepareLocalSlot(firstPIN.bytes, item: counting, for: session)
            return try await self.writeFirstState(
                session,
                with: [biometric, slot],
                entropy,
                named: migration.name,
                mark,
                in: turn
            )
        }
    }

    /// Writes the first state of a key that seals the one wallet.
    private func writeFirstState(
        _ session: Session,
        with slots: [PreparedSlot],
        _ entropy: borrowing SecretBytes,
        named name: WalletName,
        _ mark: Head.Migration,
        in turn: borrowing Turn
    ) async throws(VaultError) -> UnlockProof {
        guard let head = state.founding else { throw VaultError(.vaultExists) }
        return try await writeFirstState(session, head, with: slots, in: turn) { (change, session) throws(VaultError) in
            try self.fill(&change, with: entropy, .mnemonic, named: name, mark, for: session)
        }
    }

    /// The policy's decision on a former app's prompt: earlier failures count, elapsed time does not.
    private var decisionOnFormerPrompt: UnlockDecision {
        let now = device.clock()
        var context = state.context(at: now)
        context.resetIsPending = false
        context.biometricSlot = .ready
        context.lastStrongAuthentication = now
        context.lastUse = now
        return state.head.policy.decision(for: context)
    }
}
