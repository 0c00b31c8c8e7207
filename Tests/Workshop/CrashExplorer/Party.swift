package import Thumbturn
package import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnTestKit

/// Somebody who is about to do something with a scene: a process, or a task within one.
package final class Party: @unchecked Sendable {
    // Safe to share: whoever made it hands it to one task.
    package let scene: CrashScene
    private var opened: Vault?
    private var openedCredentials: CredentialVault<String>?
    private var authorization: StrongAuthorization?
    private var wallets: [WalletSummary] = []
    /// What a device of an account was begun with.
    private var begun: AccountDevice?

    /// - Parameter other: somebody of the same process, who opened everything before.
    package init(in scene: CrashScene, beside other: Party? = nil) {
        self.scene = scene
        opened = other?.opened
        openedCredentials = other?.openedCredentials
    }

    /// The vault of this process, which is opened now unless it was before.
    package func vault() async throws -> Vault {
        if let opened { return opened }
        let vault = try await scene.open()
        opened = vault
        return vault
    }

    /// The credential vault of this process, likewise.
    package func credentials() async throws -> CredentialVault<String> {
        if let openedCredentials { return openedCredentials }
        let vault = try await scene.openCredentials()
        openedCredentials = vault
        return vault
    }

    /// Takes up a vault that was just made.
    package func keep(_ vault: Vault) { opened = vault }

    /// Takes up a device of an account that was just begun.
    package func keep(_ device: AccountDevice) { begun = device }

    /// The device that was begun.
    package func device() throws -> AccountDevice {
        guard let begun else { throw PartyError() }
        return begun
    }

    /// Opens whatever the scene has, as an app does when it starts.
    package func open() async throws {
        if scene.hasCredentials { _ = try await credentials() } else { _ = try await vault() }
    }

    /// Comes to where a transition begins.
    package func begin(_ start: CrashTransition.Start) async throws {
        switch start {
        case .nothing, .locked: break
        case .unlocked: try await unlock()
        case .credentials(let isUnlocked):
            let vault = try await credentials()
            if isUnlocked { _ = try await CrashScene.read(vault, on: scene.device) }
        }
    }

    /// Gives the PIN or password beforehand, or the finger where there is none.
    package func unlock() async throws {
        let vault = try await vault()
        if await vault.snapshot.mode == .system {
            authorization = try await WayIn.finger.enter(vault, in: scene)
        } else {
            authorization = try await scene.prove(to: vault)
        }
        wallets = try await vault.wallets()
    }

    /// What was given beforehand, or else the PIN is given now.
    package func authorize() async throws -> StrongAuthorization {
        if authorization == nil { try await unlock() }
        guard let given = authorization.take() else { throw PartyError() }
        return given
    }

    /// The vault's first wallet, or its last, for which the PIN is given now unless it was before.
    package func wallet(last: Bool = false) async throws -> WalletSummary {
        if wallets.isEmpty { try await unlock() }
        guard let wallet = last ? wallets.last : wallets.first else { throw PartyError() }
        return wallet
    }

    /// Whether a key is in this process's memory.
    var holdsKey: Bool {
        get async {
            if await openedCredentials?.snapshot.state == .biometricsSecured { return true }
            return await opened?.holdsKey ?? false
        }
    }

    /// Locks what this process has open.
    func lock() async throws {
        if let openedCredentials { return try await openedCredentials.lock() }
        try await vault().lock()
    }

    /// Looks at everything anew, as an app does when it comes back.
    func comeBack() async throws {
        if let openedCredentials {
            try await openedCredentials.refresh()
        } else {
            try await vault().enterForeground()
        }
    }

    /// Ends this process's hold on everything, so that nothing of it comes later.
    func close() async {
        await openedCredentials?.close()
        await opened?.close()
    }
}

/// A transition was given a scene that lacks what it is about.
struct PartyError: Error {}
