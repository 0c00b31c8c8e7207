// Only for apps: programs without an interface are built without this file.
#if !WITHOUT_FOUNDATION
#if canImport(Combine)
public import Combine
#endif
public import Observation
public import ThumbturnDevice
public import ThumbturnRules

/// A credential vault for an interface: its snapshot, one call at a time, and the last refusal.
///
/// Observed as an `Observable` from iOS 17 and macOS 14, and as an `ObservableObject` on every system. It keeps no
/// credentials: the calls that read return them. A call during another one does nothing, like a second tap.
@MainActor
public final class CredentialVaultModel<Credentials: Codable & Sendable> {
    /// The vault itself, for calls that the model lacks.
    public nonisolated let vault: CredentialVault<Credentials>
    /// The state for an interface; nil until the vault was read.
    public var snapshot: CredentialSnapshot? { seen.snapshot }
    /// The vault's state; `unavailable` until the vault was read.
    public var state: CredentialVaultMachine.State { seen.snapshot?.state ?? .unavailable }
    /// Whether a call is in progress.
    public var isBusy: Bool { seen.isBusy }
    /// Why the last call was refused, until the next one.
    public var error: VaultError? { seen.error }

    private struct Shown: Equatable {
        var snapshot: CredentialSnapshot?
        var isBusy = false
        var error: VaultError?
    }

    #if canImport(Combine)
    @Published
    #endif
    private var shown = Shown()
    /// An `ObservationRegistrar`, which older systems lack.
    private let observers: any Sendable
    private var follower: Task<Void, Never>?

    /// Follows a vault until the model goes.
    public init(_ vault: CredentialVault<Credentials>) {
        self.vault = vault
        if #available(iOS 17, macOS 14, visionOS 1, *) { observers = ObservationRegistrar() } else { observers = () }
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.seen.snapshot = snapshot }
        }
    }

    deinit { follower?.cancel() }

    private var seen: Shown {
        get {
            if #available(iOS 17, macOS 14, visionOS 1, *) { registrar.access(self, keyPath: \.snapshot) }
            return shown
        }
        set {
            guard newValue != shown else { return }
            guard #available(iOS 17, macOS 14, visionOS 1, *) else { return shown = newValue }
            registrar.withMutation(of: self, keyPath: \.snapshot) { shown = newValue }
        }
    }

    @discardableResult
    private func act<Result: Sendable>(
        _ body: (CredentialVault<Credentials>) async throws(VaultError) -> Result
    ) async -> Result? {
        guard !shown.isBusy else { return nil }
        seen = Shown(snapshot: shown.snapshot, isBusy: true)
        let result: Result?
        var refusal: VaultError?
        do throws(VaultError) { result = try await body(vault) } catch {
            (result, refusal) = (nil, error)
        }
        seen = Shown(snapshot: await vault.snapshot, error: refusal)
        return result
    }
}

// The transitions, under the names of seed 004; `error` says why one was refused.
extension CredentialVaultModel {
    /// As `CredentialVault.enableKeychainVault(saving:)`.
    public func enableKeychainVault(saving credentials: Credentials) async {
        await act { vault throws(VaultError) in try await vault.enableKeychainVault(saving: credentials) }
    }

    /// As `CredentialVault.enableSecureVaultWithBiometrics(saving:_:)`.
    public func enableSecureVaultWithBiometrics(saving credentials: Credentials, _ prompt: PromptText) async {
        await act { vault throws(VaultError) in
            try await vault.enableSecureVaultWithBiometrics(saving: credentials, prompt)
        }
    }

    /// As `CredentialVault.upgradeKeychainWithBiometrics(_:)`.
    public func upgradeKeychainWithBiometrics(_ prompt: PromptText) async {
        await act { vault throws(VaultError) in try await vault.upgradeKeychainWithBiometrics(prompt) }
    }

    /// As `CredentialVault.downgradeBiometricsToKeychain(_:)`.
    public func downgradeBiometricsToKeychain(_ prompt: PromptText) async {
        await act { vault throws(VaultError) in try await vault.downgradeBiometricsToKeychain(prompt) }
    }

    /// Reads the credentials, with one prompt if they are locked; nil when that was refused.
    public func read(_ prompt: PromptText) async -> Credentials? {
        await act { vault throws(VaultError) in
            guard await vault.snapshot.state == .locked else { return try await vault.credentials() }
            return try await vault.unlockWithBiometrics(prompt)
        }
    }

    /// As `CredentialVault.lock()`; it does not wait for a call in progress.
    public func lock() async {
        do throws(VaultError) { try await vault.lock() } catch { seen.error = error }
    }

    /// As `CredentialVault.reset()`.
    public func reset() async { await act { vault throws(VaultError) in try await vault.reset() } }

    /// As `CredentialVault.refresh()`: call it at each return to the foreground.
    public func refresh() async { await act { vault throws(VaultError) in _ = try await vault.refresh() } }
}

@available(iOS 17, macOS 14, visionOS 1, *)
extension CredentialVaultModel: Observable {
    private var registrar: ObservationRegistrar {
        guard let registrar = observers as? ObservationRegistrar else {
            preconditionFailure("made on an older system")
        }
        return registrar
    }
}

#if canImport(Combine)
extension CredentialVaultModel: ObservableObject {}
#endif
#endif
