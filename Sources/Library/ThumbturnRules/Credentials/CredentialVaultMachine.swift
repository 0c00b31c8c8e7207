/// What guards stored credentials (V-01).
public enum CredentialProtection: UInt8, Hashable, Sendable, CaseIterable {
    /// The unlocked device alone.
    case keychain = 0
    /// The fingers or faces that were enrolled when they were stored.
    case biometrics = 1

    /// The name as it appears in JSON.
    public var name: String {
        switch self {
        case .keychain: "keychain"
        case .biometrics: "biometrics"
        }
    }
}

/// The rules of a credential vault, seed 004: its five states, and what leads from one to another (V-02, V-03).
///
/// The truth is what is stored, whether it can be read now, and what the sensor can do; the state is a view of it (C8). A
/// request moves nothing: only the success that the shell reports does, so a failed transition leaves what was (V-05).
public struct CredentialVaultMachine: Hashable, Sendable {
    /// Where the vault stands (V-02).
    public enum State: Hashable, Sendable, CaseIterable {
        /// Nothing is stored, and biometrics can't be used now. It follows the sensor (C22).
        case unavailable
        /// Nothing is stored.
        case ready
        /// Stored behind biometrics, and readable now.
        case biometricsSecured
        /// Stored behind biometrics, and not readable before the next prompt.
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

    /// What a caller may ask for: the transitions of V-03, reading, and the owner's presence.
    package enum Request: Hashable, Sendable, CaseIterable {
        /// Store credentials without biometrics: `ready` or `unavailable` → `keychainSecured`.
        case enableKeychainVault
        /// Store credentials behind biometrics: `ready` → `biometricsSecured`.
        case enableSecureVaultWithBiometrics
        /// Put what is stored behind biometrics: `keychainSecured` → `biometricsSecured`.
        case upgradeKeychainWithBiometrics
        /// Take the biometrics away from what is stored: `biometricsSecured` → `keychainSecured`.
        case downgradeBiometricsToKeychain
        /// Delete what is stored behind biometrics: `biometricsSecured` → `ready`.
        case disableBiometricsSecureVault
        /// Release the key by one prompt: `locked` → `biometricsSecured`.
        case unlockWithBiometrics
        /// Forget the key: `biometricsSecured` → `locked`.
        case lock
        /// Read the credentials without a prompt, where the state allows it.
        case read
        /// Ask whether the owner is here; nothing is released, and the state stays.
        case reauthenticateOwner
        /// Delete what is stored, whatever guards it: any state → `ready` or `unavailable`.
        case reset
    }

    /// A fact that happened.
    package enum Event: Hashable, Sendable {
        /// Vault and device were looked at: at the start, at each return to the foreground, before each request.
        case looked(stored: CredentialProtection?, biometricsAvailable: Bool)
        /// What the released key opens is gone: revoked, or replaced by another process.
        case keyLost
        /// Somebody asks for something.
        case requested(Request)
        /// What was ordered is done, and durable.
        case succeeded
        /// What was ordered is not done, and nothing was changed.
        case failed
    }

    /// An order to the shell.
    package enum Effect: Hashable, Sendable {
        /// Read the key behind biometrics: one prompt.
        case releaseKey
        /// Prove that the owner is here: a key that was released just now, or else `releaseKey`.
        case authenticateOwner
        /// Put the credentials under a new item, verify it, point to it, and then delete the old one.
        case store(CredentialProtection)
        /// Open what is stored, with the key at hand or the item that needs no prompt.
        case open
        /// Take out what is stored, and delete its item.
        case erase
        /// Show the system's prompt; it releases nothing.
        case showOwnerPrompt
        /// Keep the released key, so that the credentials can be read.
        case keepKey
        /// Forget the released key.
        case forgetKey
        /// Tell the caller why not.
        case refuse(CredentialVaultRefusal)
    }

    /// What is stored, and behind what; nil when it is certain that nothing is.
    package private(set) var stored: CredentialProtection?
    /// Whether a key that opens it was released and not forgotten.
    package private(set) var isReadable = false
    /// Whether a prompt could succeed now.
    package private(set) var biometricsAvailable = false
    /// What is under way.
    package private(set) var pending: Request?
    /// Whether somebody locked while it was under way.
    package private(set) var lockWasAsked = false

    /// Starts before anything was looked at.
    package init() {}

    /// Where the vault stands.
    package var state: State {
        switch stored {
        case nil: biometricsAvailable ? .ready : .unavailable
        case .keychain: .keychainSecured
        case .biometrics: isReadable ? .biometricsSecured : .locked
        }
    }

    /// Takes one fact in and says what is to be done.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .looked(let stored, let available):
            biometricsAvailable = available
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

    /// A lock waits for nothing, and wins over what would leave the credentials readable: that ends locked, or not at all
    /// (A36).
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

    /// The table of V-03, with C22: plain storage works without biometrics, and a downgrade needs the owner.
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
            // What was opened before the lock is not handed out after it.
            return isLocked ? [.refuse(.lockedWithBiometricsUseReset)] : []
        case .reauthenticateOwner, .lock, nil:
            return []
        }
    }
}
