package import Thumbturn
import ThumbturnCrypto

/// A way into a vault, as its owner goes it.
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
            return try await Self.first(of: [CrashScene.firstPIN, CrashScene.secondPIN]) { pin in
                try await vault.unlock(with: SecretBytes(text: pin))
            }
        case .finger:
            try scene.device.simulate(.finger(.match))
            try await vault.unlockWithBiometrics(TestVault.words)
            return nil
        case .recoveryKey:
            return try await Self.first(of: [scene.oldKey, scene.newKey].map(scene.text)) { key in
                try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            }
        }
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
