/// How a former app's wallet gets into a vault (seed 001): what each event requires in each state.
///
/// The state is read from the vault's manifest, never inferred from which items exist. The machine therefore keeps
/// nothing: each order is one transaction, and the next call starts from what was committed.
public struct MigrationMachine: Hashable, Sendable {
    /// The progress of a migration.
    public enum State: UInt8, Hashable, Sendable, CaseIterable {
        /// There is no vault: only the former app's copies have the wallet.
        case legacy = 0
        /// Only biometrics open the vault; what is sealed under the PIN is the other way to the wallet (K-07).
        case half = 1
        /// The vault has its PIN, and the former app's data is to be erased.
        case erasing = 2
        /// Nothing is left to do, or there never was a former app.
        case full = 3
    }

    /// Where the vault's key is when the former PIN is entered.
    package enum Reach: Hashable, Sendable {
        /// There is no vault, hence no key.
        case nowhere
        /// A session is open, and its wallets were compared with the former one.
        case open(holdsWallet: Bool)
        /// Only a finger could open the slot now; the manifest tells which wallet the vault has.
        ///
        /// `slotIsDead` when the device has confirmed that the slot's key is gone.
        case shut(holdsWallet: Bool, slotIsDead: Bool)
    }

    /// What is known of one of the former app's two copies.
    package enum Copy: Hashable, Sendable, CaseIterable {
        /// It is confirmed not to exist.
        case absent
        /// Its content is in the vault, and was opened there.
        case same
        /// Its content is different.
        case other
        /// Reading it needs a prompt that was not shown.
        case unknown
    }

    /// A fact.
    package enum Event: Hashable, Sendable {
        /// What is sealed under the PIN opened.
        ///
        /// `keepsBoth` when the owner wants it in addition to another wallet in the vault; `takesNewKey` when no finger
        /// can be asked for, or the owner gives up the vault's key and biometrics.
        case sealedOpened(Reach, keepsBoth: Bool = false, takesNewKey: Bool = false)
        /// What is behind biometrics was read.
        ///
        /// `pinIsKnown` when a PIN for the vault is available; `sealedIsThere` when something is sealed under one.
        case biometricRead(pinIsKnown: Bool, sealedIsThere: Bool)
        /// A change of the vault was requested: import, create, rename, another way in (A57).
        case changeRequested
        /// The owner deletes a wallet, or gives one up.
        case walletDeleted
        /// A session is open, its wallets were verified, and the former copies were read.
        case copiesFound(sealed: Copy, biometric: Copy)
    }

    /// An order to the shell.
    package enum Effect: Hashable, Sendable {
        /// Create a key, seal the wallet and create these slots, in one transaction.
        case makeVault(FirstWays)
        /// Wrap the existing key under the PIN too, in one transaction with a wallet to add.
        case wrapKey
        /// Create a new key and seal the wallet under it; the same transaction removes its former envelope and slot.
        case replaceKey
        /// Seal the wallet in the existing vault.
        case addWallet
        /// Erase what is behind biometrics.
        case eraseBiometric
        /// Erase what is sealed under the PIN.
        case eraseSealed
        /// Remove the mark from the manifest: nothing is left to erase, or nothing may be erased any more.
        case finish
        /// Write an audit event.
        case record(AuditEventKind)
        /// Refuse the call with this code.
        case refuse(ErrorCode)
    }

    /// The slots of a new vault.
    package enum FirstWays: Hashable, Sendable, CaseIterable {
        /// Only the PIN: path A.
        case pin
        /// Only biometrics: path B, half migrated.
        case biometrics
        /// Both: path B when the PIN is known, or when the owner chose the first one.
        case both
    }

    /// The progress of the migration.
    package let state: State

    /// Starts from the manifest's state.
    package init(state: State) { self.state = state }

    /// Returns what to do about an event.
    package func handle(_ event: Event) -> [Effect] {
        switch event {
        case .sealedOpened(let reach, let keepsBoth, let takesNewKey): sealedOpened(reach, keepsBoth, takesNewKey)
        case .biometricRead(let pinIsKnown, let sealedIsThere): biometricRead(pinIsKnown, sealedIsThere)
        case .changeRequested: changeRequested()
        case .walletDeleted: walletDeleted()
        case .copiesFound(let sealed, let biometric): copiesFound(sealed, biometric)
        }
    }
}

// One function per event. Each lists every state.
extension MigrationMachine {
    private func sealedOpened(_ reach: Reach, _ keepsBoth: Bool, _ takesNewKey: Bool) -> [Effect] {
        switch (state, reach) {
        case (.legacy, .nowhere):
            [.makeVault(.pin), .record(.migrationCompleted)]
        case (.half, .open(holdsWallet: true)):
            [.wrapKey, .record(.migrationCompleted)]
        case (.half, .open(holdsWallet: false)) where keepsBoth:
            [.addWallet, .wrapKey, .record(.migrationCompleted)]
        case (.half, .shut(holdsWallet: false, slotIsDead: false)) where keepsBoth,
            (.half, .shut(holdsWallet: true, slotIsDead: false)) where !takesNewKey:
            // The existing key must be wrapped under the PIN too, and biometrics stay (K-08): this needs the finger
            // once more.
            [.refuse(.migrationNeedsBiometrics)]
        case (.half, .open(holdsWallet: false)), (.half, .shut(holdsWallet: false, slotIsDead: false)):
            // Two wallets under two keys: deleting one of them may delete coins (K-09).
            [.refuse(.migrationConflict)]
        case (.half, .shut(holdsWallet: true, _)), (.half, .shut(_, slotIsDead: true)):
            [.replaceKey, .record(.migrationCompleted)]
        case (.erasing, .open(holdsWallet: false)), (.full, .open(holdsWallet: false)):
            [.addWallet, .record(.migrationCompleted)]
        case (.erasing, .open(holdsWallet: true)), (.full, .open(holdsWallet: true)):
            [.refuse(.legacyAlreadyMigrated)]
        case (.legacy, .open), (.legacy, .shut), (.half, .nowhere), (.erasing, .nowhere), (.full, .nowhere):
            [.refuse(.storageUnavailable)]  // Impossible combinations; change nothing.
        case (.erasing, .shut), (.full, .shut):
            [.refuse(.locked)]
        }
    }

    private func biometricRead(_ pinIsKnown: Bool, _ sealedIsThere: Bool) -> [Effect] {
        switch state {
        case .legacy where pinIsKnown:
            return [.makeVault(.both), .record(.migrationCompleted)]
        case .legacy where sealedIsThere:
            return [.makeVault(.biometrics), .record(.migrationBegan)]
        case .legacy:
            // K-10: without a PIN, biometrics would be the only way in, which the system can take away.
            return [.refuse(.migrationIncomplete)]
        case .half, .erasing, .full:
            return [.refuse(.legacyAlreadyMigrated)]
        }
    }

    private func changeRequested() -> [Effect] {
        switch state {
        case .half: [.refuse(.migrationIncomplete)]
        case .legacy, .erasing, .full: []
        }
    }

    /// Cancels a postponed erase: the former app's data may be the last copy now, and must be kept (K-09).
    private func walletDeleted() -> [Effect] {
        switch state {
        case .erasing: [.finish]
        case .legacy, .half, .full: []
        }
    }

    private func copiesFound(_ sealed: Copy, _ biometric: Copy) -> [Effect] {
        switch state {
        case .legacy, .full:
            []
        case .half:
            // What is sealed under the PIN stays until the vault has its PIN (A24).
            biometric == .same ? [.eraseBiometric] : []
        case .erasing:
            erasing(sealed, biometric)
        }
    }

    /// Erases the biometric copy first, and the sealed one last; never erases other content.
    private func erasing(_ sealed: Copy, _ biometric: Copy) -> [Effect] {
        switch (biometric, sealed) {
        case (.other, _): [.refuse(.migrationConflict)]
        case (.unknown, _): [.refuse(.legacyNotErased)]
        case (.same, .same): [.eraseBiometric, .eraseSealed]
        case (.same, _): [.eraseBiometric]
        case (.absent, .same): [.eraseSealed]
        case (.absent, .unknown): [.refuse(.legacyNotErased)]
        case (.absent, .absent), (.absent, .other): [.finish, .record(.legacyErased)]
        }
    }
}
