public import ThumbturnDevice
public import ThumbturnRules

/// The states of V-02 as types, which parametrise `CredentialHandle` and have no values.
public enum CredentialState {
    /// Nothing is stored, and biometrics can't be used.
    public enum Unavailable {}
    /// Nothing is stored.
    public enum Ready {}
    /// Stored behind biometrics, and readable now.
    public enum BiometricsSecured {}
    /// Stored behind biometrics, and not readable until the next prompt.
    public enum Locked {}
    /// Stored without biometrics.
    public enum KeychainSecured {}
}

/// A credential vault whose state the compiler knows: a transition that the state lacks does not compile (V-04).
///
/// A handle can't be copied, and a transition consumes it: the result is the handle of the next state, or the same one
/// with the reason (V-05). Each handle has its own vault. The compiler can't know what other processes or the owner do
/// to the device: the transition then stays with the error of the dynamic API, and `looking()` reads the state again.
public struct CredentialHandle<State, Credentials: Codable & Sendable>: ~Copyable, Sendable {
    let vault: CredentialVault<Credentials>

    init(_ vault: CredentialVault<Credentials>) { self.vault = vault }

    /// The state for an interface.
    public var snapshot: CredentialSnapshot {
        get async { await vault.snapshot }
    }

    /// Reads the state of vault and device again, for instance at each return to the foreground (C22).
    ///
    /// - Throws: as `CredentialVault.refresh()`; the handle is consumed, so open the credentials again.
    public consuming func looking() async throws(VaultError) -> AnyCredentialHandle<Credentials> {
        try await vault.refresh()
        return await AnyCredentialHandle(vault)
    }

    /// Closes the vault's files and forgets the key.
    public consuming func close() async { await vault.close() }

    /// As `CredentialVault.reauthenticateOwner(_:)`.
    public borrowing func reauthenticateOwner(_ prompt: PromptText) async throws(VaultError) {
        try await vault.reauthenticateOwner(prompt)
    }

    /// As `CredentialVault.reset()`.
    public consuming func reset() async -> Outcome<CredentialState.Ready> {
        await move { vault throws(VaultError) in try await vault.reset() }
    }

    /// The result of a transition from this state to another.
    public typealias Outcome<Next> = CredentialTransition<
        CredentialHandle<Next, Credentials>, CredentialHandle<State, Credentials>
    >

    consuming func move<Next>(
        _ transition: (CredentialVault<Credentials>) async throws(VaultError) -> Void
    ) async -> Outcome<Next> {
        do throws(VaultError) {
            try await transition(vault)
            return .moved(CredentialHandle<Next, Credentials>(vault))
        } catch {
            return .stayed(self, error)
        }
    }
}

/// The result of a transition: the next state, or the former one with the reason.
public enum CredentialTransition<Next: ~Copyable, Former: ~Copyable>: ~Copyable {
    /// The transition succeeded.
    case moved(Next)
    /// The transition failed, and nothing was changed.
    case stayed(Former, VaultError)

    /// Returns the next handle; if the transition was refused, discards the former one and throws the reason.
    public consuming func get() throws(VaultError) -> Next {
        switch consume self {
        case .moved(let next): return next
        case .stayed(_, let error): throw error
        }
    }
}

extension CredentialTransition: Sendable where Next: Sendable & ~Copyable, Former: Sendable & ~Copyable {}

/// A handle for the present state of a vault.
public enum AnyCredentialHandle<Credentials: Codable & Sendable>: ~Copyable, Sendable {
    /// Nothing is stored, and biometrics can't be used.
    case unavailable(CredentialHandle<CredentialState.Unavailable, Credentials>)
    /// Nothing is stored.
    case ready(CredentialHandle<CredentialState.Ready, Credentials>)
    /// Stored behind biometrics, and readable now.
    case biometricsSecured(CredentialHandle<CredentialState.BiometricsSecured, Credentials>)
    /// Stored behind biometrics, and not readable until the next prompt.
    case locked(CredentialHandle<CredentialState.Locked, Credentials>)
    /// Stored without biometrics.
    case keychainSecured(CredentialHandle<CredentialState.KeychainSecured, Credentials>)

    init(_ vault: CredentialVault<Credentials>) async {
        switch await vault.snapshot.state {
        case .unavailable: self = .unavailable(CredentialHandle(vault))
        case .ready: self = .ready(CredentialHandle(vault))
        case .biometricsSecured: self = .biometricsSecured(CredentialHandle(vault))
        case .locked: self = .locked(CredentialHandle(vault))
        case .keychainSecured: self = .keychainSecured(CredentialHandle(vault))
        }
    }
}
