package import Thumbturn
import ThumbturnCrypto
package import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
package import ThumbturnUI

/// A vault whose screens a host shows: a `Vault`, or another kind that has these calls, such as an account's.
package typealias HostableVault = AppUnlockVault & BackupVault & BiometricSettingsVault & RecoveryKeyVault & TrailVault
    & WordsVault

/// The models of an open or locked vault's screens.
@MainActor package final class VaultModels {
    /// What is called for wallets and by the recovery key; the same vault, or what the other kind has inside.
    package let core: Vault
    package let unlock: AppUnlockObject
    package let biometrics: BiometricSettingsObject
    /// Nil for a kind of vault that has no system authentication.
    package let system: SystemSettingsObject?
    /// Nil for a kind of vault whose secret is not the device's.
    package let pin: PINChangeModel?
    package let recoveryKey: RecoveryKeyModel
    package let backup: BackupModel
    package let trail: TrailModel
    package let wallets: WalletsModel
    /// The words of one wallet, while they are on the screen.
    package private(set) var words: WordsModel?

    package var language: Language { didSet { tellLanguage() } }

    /// What the vault said last.
    private(set) var snapshot: VaultSnapshot?
    private let vault: any HostableVault
    private var follower: Task<Void, Never>?
    private let changed: @MainActor () -> Void
    /// What each screen showed last, and its JSON in this language: most changes are of one screen.
    private var made: [String: (fields: AnyHashable, json: JSON)] = [:]

    /// Makes the models of a vault's screens.
    ///
    /// - Parameters:
    ///   - vault: what the screens ask.
    ///   - core: the vault itself.
    ///   - lock: the model of its lock screen.
    ///   - system: the model of system authentication, if this kind of vault has it.
    ///   - pin: the model of a new PIN or password, if it is the device's.
    ///   - backups: the path of the folder for backups.
    ///   - changed: told when a screen shows something else.
    package init(
        _ vault: any HostableVault,
        core: Vault,
        lock: AppUnlockObject,
        system: SystemSettingsObject?,
        pin: PINChangeModel?,
        backups: String,
        changed: @escaping @MainActor () -> Void
    ) {
        let secret = lock.secret
        (self.vault, self.core, self.changed) = (vault, core, changed)
        (unlock, self.system, self.pin, language) = (lock, system, pin, lock.language)
        biometrics = BiometricSettingsObject(vault, secret: secret)
        recoveryKey = RecoveryKeyModel(vault, secret: secret)
        backup = BackupModel(vault, secret: secret) {
            "\(backups)/thumbturn-\(String(UInt64.random(in: .min ... .max), radix: 16)).backup"
        }
        trail = TrailModel(vault)
        wallets = WalletsModel(core, owner: vault)
        unlock.changed = changed
        biometrics.changed = changed
        system?.changed = changed
        pin?.changed = changed
        recoveryKey.changed = changed
        backup.changed = changed
        trail.changed = changed
        wallets.changed = changed
        tellLanguage()
        follower = Task { [weak self] in
            for await snapshot in await vault.snapshots() { self?.snapshot = snapshot }
        }
    }

    deinit { follower?.cancel() }

    /// The screens by name, as the JSON of their models' fields; null for one that is not there.
    package var screens: [(String, JSON)] {
        [
            screen("backup", backup.fields) { $0.json(in: language) },
            screen("biometrics", biometrics.fields) { $0.json(in: language) },
            screen("pin", pin?.fields) { $0.json(in: language) },
            screen("recoveryKey", recoveryKey.fields) { $0.json(in: language) },
            screen("system", system?.fields) { $0.json(in: language) },
            screen("trail", trail.fields) { $0.json(in: language) },
            screen("unlock", unlock.fields) { $0.json(in: language) },
            screen("wallets", wallets.fields) { $0.json(in: language) },
            screen("words", words?.fields) { $0.json(in: language) },
        ]
    }

    private func screen<Fields: Hashable>(
        _ name: String,
        _ fields: Fields?,
        _ make: (Fields) -> JSON
    ) -> (String, JSON) {
        guard let fields else { return (name, .null) }
        if let made = made[name], made.fields == AnyHashable(fields) { return (name, made.json) }
        let json = make(fields)
        made[name] = (fields, json)
        return (name, json)
    }

    /// The same without a vault.
    package static let none: [(String, JSON)] = [
        "backup", "biometrics", "pin", "recoveryKey", "system", "trail", "unlock", "wallets", "words",
    ].map { ($0, .null) }

    /// Ends what is under way, and forgets what was typed and shown.
    package func stop() {
        unlock.stopMoving()
        system?.cancel()
        pin?.cancel()
        recoveryKey.cancel()
        backup.cancel()
        hideWords()
    }

    /// Shows the screen for a wallet's words.
    func showWords(of wallet: Identifier) {
        words?.cancel()
        let model = WordsModel(vault, wallet: wallet, secret: unlock.secret)
        model.language = language
        model.changed = changed
        words = model
        changed()
    }

    /// Leaves that screen, and wipes what it shows.
    func hideWords() {
        guard let model = words else { return }
        model.cancel()
        words = nil
        changed()
    }

    private func tellLanguage() {
        made = [:]
        unlock.language = language
        biometrics.language = language
        system?.language = language
        pin?.language = language
        recoveryKey.language = language
        backup.language = language
        trail.language = language
        wallets.language = language
        words?.language = language
    }
}
