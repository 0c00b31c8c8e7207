/// How a former app's wallet comes into a vault (seed 001): what a fact asks for in each state.
///
/// The state is read once from the vault's manifest, never from which items happen to be there. So the machine keeps
/// nothing: what it orders is one transaction each, and the next call starts from what was committed.
public struct MigrationMachine: Hashable, Sendable {
    /// How far it has come.
    public enum State: UInt8, Hashable, Sendable, CaseIterable {
        /// There is no vault: the former app's copies alone hold the wallet.
        case legacy = 0
        /// Biometrics alone open the vault; what is sealed under the PIN is the other way to the wallet (K-07).
        case half = 1
        /// The vault has its PIN, and what the former app left is to be erased.
        case erasing = 2
        /// Nothing is left to do, or there never was a former app.
        case full = 3
    }

    /// Where the vault's key is when the former PIN was given.
    package enum Reach: Hashable, Sendable {
        /// There is no vault, hence no key.
        case nowhere
        /// A session is open, and its wallets were held against the former one.
        case open(holdsWallet: Bool)
        /// Only a finger could open the slot now; the manifest says which wallet it holds.
        ///
        /// `slotIsDead` when the device has confirmed that the slot's key is gone.
        case shut(holdsWallet: Bool, slotIsDead: Bool)
    }

    /// What is known of one of the former app's two copies.
    package enum Copy: Hashable, Sendable, CaseIterable {
        /// It is confirmed not to be there.
        case absent
        /// What it holds is in the vault, and was opened there.
        case same
        /// It holds something else.
        case other
        /// It can't be looked into without a prompt that nobody has seen.
        case unknown
    }

    /// A fact.
    package enum Event: Hashable, Sendable {
        /// What is sealed under the PIN opened; `keepsBoth` when its owner wants it beside another wallet that the vault holds,
        /// and `takesNewKey` when no finger can be asked, or its owner does without the vault's key and biometrics.
        case sealedOpened(Reach, keepsBoth: Bool = false, takesNewKey: Bool = false)
        /// What lies behind biometrics was read; `pinIsKnown` when a PIN for the vault is at hand, and `sealedIsThere` when
        /// something is sealed under one.
        case biometricRead(pinIsKnown: Bool, sealedIsThere: Bool)
        /// Somebody wants to change the vault: import, create, rename, another way in (A57).
        case changeRequested
        /// The owner deletes a wallet, or gives one up.
        case walletDeleted
        /// A session is open, its wallets stand, and the copies were looked at.
        case copiesFound(sealed: Copy, biometric: Copy)
    }

    /// An order to the shell.
    package enum Effect: Hashable, Sendable {
        /// Make a key, seal the wallet and make these ways in, in one transaction.
        case makeVault(FirstWays)
        /// Wrap the key that there is under the PIN too, in one transaction with a wallet that is to be added.
        case wrapKey
        /// Make a new key and seal the wallet beside its former envelope; the same transaction takes that and its slot away.
        case replaceKey
        /// Seal the wallet in the vault that there is.
        case addWallet
        /// Erase what lies behind biometrics.
        case eraseBiometric
        /// Erase what is sealed under the PIN.
        case eraseSealed
        /// Take the mark out of the manifest: nothing is left to erase, or nothing may be erased any more.
        case finish
        /// Write an audit event.
        case record(AuditEventKind)
        /// Tell the caller why not.
        case refuse(ErrorCode)
    }

    /// The ways in that a vault begins with.
    package enum FirstWays: Hashable, Sendable, CaseIterable {
        /// The PIN alone: path A.
        case pin
        /// Biometrics alone: path B, half migrated.
        case biometrics
        /// Both: path B where the PIN came along, or where the owner chose the first one.
        case both
    }

    /// How far it has come.
    package let state: State

    /// Starts from what the manifest says.
    package init(state: State) {
        self.state = state
    }

    /// Says what is to be done about a fact.
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
            // The key that there is goes under the PIN too, and biometrics stay (K-08): it takes the finger once more.
            [.refuse(.migrationNeedsBiometrics)]
        case (.half, .open(holdsWallet: false)), (.half, .shut(holdsWallet: false, slotIsDead: false)):
            // Two wallets under two keys: whoever deletes one of them may delete coins (K-09).
            [.refuse(.migrationConflict)]
        case (.half, .shut(holdsWallet: true, _)), (.half, .shut(_, slotIsDead: true)):
            [.replaceKey, .record(.migrationCompleted)]
        case (.erasing, .open(holdsWallet: false)), (.full, .open(holdsWallet: false)):
            [.addWallet, .record(.migrationCompleted)]
        case (.erasing, .open(holdsWallet: true)), (.full, .open(holdsWallet: true)):
            [.refuse(.legacyAlreadyMigrated)]
        case (.legacy, .open), (.legacy, .shut), (.half, .nowhere), (.erasing, .nowhere), (.full, .nowhere):
            [.refuse(.storageUnavailable)]  // No state is like that; nothing is touched.
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
            // K-10: without a PIN, biometrics would be the only way in, and the system can close that.
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

    /// What a former app left may be the last copy now: an erase that was put off must not take that too (K-09).
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

    /// The raw copy first, and what is sealed last; what holds something else is never erased.
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
