/// What guards stored credentials (V-01).
public enum CredentialProtection: UInt8, Hashable, Sendable, CaseIterable {
    /// The unlocked device only.
    case keychain = 0
    /// The fingers or faces that were enrolled when they were stored.
    case biometrics = 1
    /// Any finger or face, or the device's passcode; it ends with the passcode, and no change of the enrolled set
    /// affects it.
    case ownerPresence = 2

    /// Whether it keeps out whomever the other one keeps out: the enrolled fingers or faces are the fewest who may read.
    package func isAtLeast(_ other: CredentialProtection) -> Bool {
        switch self {
        case .biometrics: true
        case .ownerPresence: other != .biometrics
        case .keychain: other == .keychain
        }
    }

    /// The name as it appears in JSON.
    public var name: String {
        switch self {
        case .keychain: "keychain"
        case .biometrics: "biometrics"
        case .ownerPresence: "ownerPresence"
        }
    }

    /// What the five states know of it: whether a prompt releases it, whatever that prompt accepts.
    package var inStates: CredentialProtection { self == .keychain ? .keychain : .biometrics }
}

/// The rules of a credential vault, seed 004: its five states, and the transitions between them (V-02, V-03).
///
/// The truth is what is stored, whether it can be read now, and what the sensor can do; the state is derived from it
/// (C8). A request changes nothing: only a success that the shell reports does, so a failed transition leaves the old
/// state (V-05).
public struct CredentialVaultMachine: Hashable, Sendable {
    /// The state of the vault (V-02).
    public enum State: Hashable, Sendable, CaseIterable {
        /// Nothing is stored, and biometrics can't be used now; follows the sensor (C22).
        case unavailable
        /// Nothing is stored.
        case ready
        /// Stored behind biometrics, and readable now.
        case biometricsSecured
        /// Stored behind biometrics, and not readable until the next prompt.
        case locked
        /// Stored without biometrics.
        case keychainSecured

        /// The name as it appears in JSON.
        public var name: String {
            switch self {
            case .unavailable: "unavailable"
            case .ready: "ready"
            case .biometricsSecured: "biometricsSecured"
            case .locked: "locked"
            case .keychainSecured: "keychainSecured"
            }
        }
    }

    /// A caller's request: the transitions of V-03, reading, and the owner's presence.
    package enum Request: Hashable, Sendable, CaseIterable {
        /// Store credentials without biometrics: `ready` or `unavailable` → `keychainSecured`.
        case enableKeychainVault
        /// Store credentials behind biometrics: `ready` → `biometricsSecured`.
        case enableSecureVaultWithBiometrics
        /// Move what is stored behind biometrics: `keychainSecured` → `biometricsSecured`.
        case upgradeKeychainWithBiometrics
        /// Remove the biometrics from what is stored: `biometricsSecured` → `keychainSecured`.
        case downgradeBiometricsToKeychain
        /// Delete what is stored behind biometrics: `biometricsSecured` → `ready`.
        case disableBiometricsSecureVault
        /// Release the key with one prompt: `locked` → `biometricsSecured`.
        case unlockWithBiometrics
        /// Forget the key: `biometricsSecured` → `locked`.
        case lock
        /// Read the credentials without a prompt, if the state allows it.
        case read
        /// Ask whether the owner is present; releases nothing, and keeps the state.
        case reauthenticateOwner
        /// Delete what is stored, however it is protected: any state → `ready` or `unavailable`.
        case reset
    }

    /// A fact that happened.
    package enum Event: Hashable, Sendable {
        /// Vault and device were looked at: at the start, at each return to the foreground, before each request.
        case looked(stored: CredentialProtection?, biometricsAvailable: Bool)
        /// The released key opens nothing any more: its item was revoked, or replaced by another process.
        case keyLost
        /// A caller requests something.
        case requested(Request)
        /// The orders were carried out, durably.
        case succeeded
        /// The orders failed, and nothing was changed.
        case failed
    }

    /// An order to the shell.
    package enum Effect: Hashable, Sendable {
        /// Read the key behind biometrics: one prompt.
        case releaseKey
        /// Prove that the owner is present: by a key that was released just now, otherwise by `releaseKey`.
        case authenticateOwner
        /// Store the credentials under a new item, verify it, refer to it, and then delete the old one.
        case store(CredentialProtection)
        /// Open what is stored, with the released key or the item that needs no prompt.
        case open
        /// Remove what is stored, and delete its item.
        case erase
        /// Show the system's prompt; it releases nothing.
        case showOwnerPrompt
        /// Keep the released key, so that the credentials can be read.
        case keepKey
        /// Forget the released key.
        case forgetKey
        /// Refuse the call with this reason.
        case refuse(CredentialVaultRefusal)
    }

    /// How the stored credentials are protected; nil when there are certainly none.
    package private(set) var stored: CredentialProtection?
    /// Whether a key that opens them was released and not forgotten.
    package private(set) var isReadable = false
    /// Whether a prompt could succeed now.
    package private(set) var biometricsAvailable = false
    /// The request in progress.
    package private(set) var pending: Request?
    /// Whether a lock was requested during it.
    package private(set) var lockWasAsked = false

    /// Starts before the first look.
    package init() {}

    /// The state of the vault.
    package var state: State {
        switch stored {
        case nil: biometricsAvailable ? .ready : .unavailable
        case .keychain: .keychainSecured
        case .biometrics, .ownerPresence: isReadable ? .biometricsSecured : .locked
        }
    }

    /// Handles one event, and returns what to do.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .looked(let stored, let available):
            biometricsAvailable = available
            let stored = stored?.inStates
            guard stored != self.stored else { return [] }
            self.stored = stored
            return forgetKey()
        case .keyLost:
            return forgetKey()
        case .requested(.lock):
            return lock()
        case .requested(let request):
            guard pending == nil else { return [.refuse(.busy)] }
            let orders = orders(for: request)
            if case .refuse? = orders.first { return orders }
            pending = request
            return orders
        case .succeeded:
            return finish()
        case .failed:
            (pending, lockWasAsked) = (nil, false)
            return []
        }
    }

    private mutating func forgetKey() -> [Effect] {
        isReadable = false
        return [.forgetKey]
    }

    /// Locks without waiting; overrides a request that would leave the credentials readable, which then ends locked or
    /// fails (A36).
    private mutating func lock() -> [Effect] {
        switch (state, pending) {
        case (.biometricsSecured, _), (_, .unlockWithBiometrics?), (_, .enableSecureVaultWithBiometrics?),
            (_, .upgradeKeychainWithBiometrics?):
            lockWasAsked = pending != nil
            return forgetKey()
        case (.unavailable, _): return [.refuse(.notAvailable)]
        case (.ready, _): return [.refuse(.notEnabled)]
        case (.keychainSecured, _): return [.refuse(.notSecuredWithBiometrics)]
        case (.locked, _): return [.refuse(.alreadyLockedWithBiometrics)]
        }
    }

    /// Returns the orders by the table of V-03, with C22: plain storage works without biometrics, and a downgrade needs
    /// the owner.
    private func orders(for request: Request) -> [Effect] {
        switch (state, request) {
        case (_, .reset): [.erase]
        case (_, .reauthenticateOwner): [.showOwnerPrompt]

        case (.unavailable, .enableKeychainVault), (.ready, .enableKeychainVault): [.store(.keychain)]
        case (.ready, .enableSecureVaultWithBiometrics): [.store(.biometrics)]
        case (.unavailable, .read), (.ready, _): [.refuse(.notEnabled)]
        case (.unavailable, _): [.refuse(.notAvailable)]

        case (.keychainSecured, .upgradeKeychainWithBiometrics):
            biometricsAvailable ? [.store(.biometrics)] : [.refuse(.notAvailable)]
        case (.keychainSecured, .read): [.open]
        case (.keychainSecured, .enableKeychainVault): [.refuse(.alreadyUsesKeychain)]
        case (.keychainSecured, .enableSecureVaultWithBiometrics):
            [.refuse(.alreadySecuredByKeychainUseSecureFunction)]
        case (.keychainSecured, .unlockWithBiometrics): [.refuse(.notLockedWithBiometrics)]
        case (.keychainSecured, _): [.refuse(.notSecuredWithBiometrics)]

        case (.biometricsSecured, .downgradeBiometricsToKeychain): [.authenticateOwner, .store(.keychain)]
        case (.biometricsSecured, .disableBiometricsSecureVault): [.erase]
        case (.biometricsSecured, .read): [.open]
        case (.biometricsSecured, .unlockWithBiometrics): [.refuse(.notLockedWithBiometrics)]
        case (.biometricsSecured, _): [.refuse(.alreadySecuredWithBiometrics)]

        case (.locked, .unlockWithBiometrics): [.releaseKey, .open]
        case (.locked, .enableKeychainVault), (.locked, .enableSecureVaultWithBiometrics),
            (.locked, .upgradeKeychainWithBiometrics):
            [.refuse(.lockedWithBiometricsCannotEnable)]
        case (.locked, _): [.refuse(.lockedWithBiometricsUseReset)]
        }
    }

    private mutating func finish() -> [Effect] {
        let (request, isLocked) = (pending, lockWasAsked)
        (pending, lockWasAsked) = (nil, false)
        switch request {
        case .enableKeychainVault, .downgradeBiometricsToKeychain:
            stored = .keychain
            return forgetKey()
        case .enableSecureVaultWithBiometrics, .upgradeKeychainWithBiometrics:
            stored = .biometrics
            guard !isLocked else { return forgetKey() }
            isReadable = true
            return [.keepKey]
        case .unlockWithBiometrics:
            guard !isLocked, stored == .biometrics else {
                return forgetKey() + [.refuse(.lockedWithBiometricsUseReset)]
            }
            isReadable = true
            return [.keepKey]
        case .disableBiometricsSecureVault, .reset:
            stored = nil
            return forgetKey()
        case .read:
            // Credentials opened before the lock are not returned after it.
            return isLocked ? [.refuse(.lockedWithBiometricsUseReset)] : []
        case .reauthenticateOwner, .lock, nil:
            return []
        }
    }
}
