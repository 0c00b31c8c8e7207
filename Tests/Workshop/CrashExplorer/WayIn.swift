package import Thumbturn
import ThumbturnCredentials
import ThumbturnCrypto
import ThumbturnSimulator
import ThumbturnTestKit

/// A way into a vault, as its owner goes it; the PIN's is the password's where an account has the vault.
package enum WayIn: String, CaseIterable, Sendable {
    case pin, finger, recoveryKey

    /// Goes in.
    ///
    /// - Returns: what was given, where it was something to know.
    /// - Throws: why the vault stayed shut.
    @discardableResult
    package func enter(_ vault: Vault, in scene: CrashScene) async throws -> StrongAuthorization? {
        switch self {
        case .pin:
            if scene.hasAccount { return try await scene.logInForGood(to: vault) }
            return try await Self.first(of: [CrashScene.firstPIN, CrashScene.secondPIN]) { pin in
                try await CrashScene.give(pin, to: vault)
            }
        case .finger:
            try scene.device.simulate(.finger(.match))
            if await vault.snapshot.mode == .system { return try await vault.unlockWithSystem(TestVault.words) }
            try await vault.unlockWithBiometrics(TestVault.words)
            return nil
        case .recoveryKey:
            return try await Self.first(of: [scene.oldKey, scene.newKey].map(scene.text)) { key in
                try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            }
        }
    }

    /// The same, and says yes to what is asked then: a former copy is compared and erased.
    func arrive(at vault: Vault, in scene: CrashScene) async throws {
        try await enter(vault, in: scene)
        try await Self.eraseFormer(vault, in: scene)
    }

    /// Goes into what credentials lie in.
    func enter(_ credentials: CredentialVault<String>, in scene: CrashScene) async throws {
        switch self {
        case .pin: _ = try await credentials.credentials()
        case .finger: _ = try await CrashScene.read(credentials, on: scene.device)
        case .recoveryKey: try await credentials.refresh()
        }
    }

    /// Makes a vault of what a former app left.
    ///
    /// - Throws: also why something of it is still there.
    func migrate(_ party: Party) async throws {
        let scene = party.scene
        try scene.device.simulate(.finger(.match))
        let migration: Vault.Migration
        switch self {
        case .pin:
            migration = try await Vault.migrate(
                in: scene.vaultFolder,
                device: scene.seen,
                secret: SecretBytes(text: CrashScene.firstPIN),
                prompt: FormerApp.prompt,
                configuration: scene.configuration
            )
        case .finger:
            migration = try await Vault.migrateWithBiometrics(
                in: scene.vaultFolder,
                device: scene.seen,
                prompt: FormerApp.prompt,
                newSecret: SecretBytes(text: CrashScene.firstPIN),
                configuration: scene.configuration
            )
        case .recoveryKey: return
        }
        party.keep(migration.vault)
        if let failure = migration.erasureFailure { throw failure }
    }

    /// Erases what is left of a former app, where the vault has taken it over.
    static func eraseFormer(_ vault: Vault, in scene: CrashScene) async throws {
        guard await vault.snapshot.migration == .erasing else { return }
        try scene.device.simulate(.finger(.match))
        try await vault.eraseLegacy(FormerApp.prompt)
    }

    /// Tries what its owner knows, and the next where that was wrong.
    private static func first(
        of secrets: [String],
        _ unlock: (String) async throws -> StrongAuthorization
    ) async throws -> StrongAuthorization {
        for secret in secrets.dropLast() {
            do { return try await unlock(secret) } catch let error as VaultError where wrong.contains(error.code) {}
        }
        return try await unlock(secrets[secrets.count - 1])
    }

    /// How a vault says that what was given is not the right one.
    private static let wrong = [ErrorCode.strongFactorRefused, .recoveryKeyMalformed]
}

/// How a scene is taken up again after it was cut off.
package struct NextStart: Hashable, Sendable, CustomStringConvertible {
    package let way: WayIn
    /// Whether a finger was enrolled since.
    package let enrolls: Bool
    /// Whether one operation of disk or device fails at the start, and no more.
    package let stumbles: Bool

    package static let all = [false, true].flatMap { stumbles in
        [false, true].flatMap { enrolls in
            WayIn.allCases.map { NextStart(way: $0, enrolls: enrolls, stumbles: stumbles) }
        }
    }

    /// The same start when nothing fails.
    var steady: NextStart { NextStart(way: way, enrolls: enrolls, stumbles: false) }

    package var description: String {
        "by \(way.rawValue)" + (enrolls ? ", a finger enrolled" : "") + (stumbles ? ", one operation failing" : "")
    }
}
