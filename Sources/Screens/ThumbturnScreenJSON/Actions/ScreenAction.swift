package import ThumbturnJSON

/// What a screen asks of its model, as a host that is not Swift says it.
///
/// As JSON it is an object: `screen` and `name`, and what the action needs besides. A secret is never in it: an action
/// that takes one has the member `"secret":"taken"`, and the bytes come beside the JSON, in a way that the host wipes.
package enum ScreenAction: Hashable, Sendable {
    /// Of the lock screen, `AppUnlockFields`.
    case unlock(UnlockAction)
    /// Of the settings about biometrics, `BiometricSettingsFields`.
    case biometrics(BiometricsAction)
    /// Of the settings about system authentication, `SystemSettingsFields`.
    case system(SystemAction)
    /// Of the screen for a new PIN or password, `PINChangeFields`.
    case pin(PINChangeAction)
    /// Of the screen of the recovery key, `RecoveryKeyFields`.
    case recoveryKey(RecoveryKeyAction)
    /// Of the screens around a vault, `VaultScreensFields`.
    case app(VaultScreensAction)
    /// Of the first start, `OnboardingFields`.
    case onboarding(OnboardingAction)
    /// Of the way back, `RecoverFields`.
    case recover(RecoverAction)
    /// Of the screen of a wallet's words, `WordsFields`.
    case words(WordsAction)
    /// Of the screen of backups, `BackupFields`.
    case backup(BackupAction)
    /// Of the screen of the device's trail, `TrailFields`.
    case trail(TrailAction)
    /// Of the list of wallets, `WalletsFields`.
    case wallets(WalletsAction)

    /// Reads an action.
    ///
    /// - Parameter json: an object with exactly the members of one action, in any order.
    /// - Throws: what is wrong with it.
    package init(_ json: JSON) throws(ScreenActionError) {
        var members = try ActionMembers(json)
        let (screen, name) = (try members.text("screen"), try members.text("name"))
        switch screen {
        case Self.unlockScreen: self = .unlock(try UnlockAction(name, &members))
        case Self.biometricsScreen: self = .biometrics(try BiometricsAction(name, &members))
        case Self.systemScreen: self = .system(try SystemAction(name, &members))
        case Self.pinScreen: self = .pin(try PINChangeAction(name, &members))
        case Self.recoveryKeyScreen: self = .recoveryKey(try RecoveryKeyAction(name, &members))
        case Self.appScreen: self = .app(try VaultScreensAction(name, &members))
        case Self.onboardingScreen: self = .onboarding(try OnboardingAction(name, &members))
        case Self.recoverScreen: self = .recover(try RecoverAction(name, &members))
        case Self.wordsScreen: self = .words(try WordsAction(name, &members))
        case Self.backupScreen: self = .backup(try BackupAction(name, &members))
        case Self.trailScreen: self = .trail(try TrailAction(name, &members))
        case Self.walletsScreen: self = .wallets(try WalletsAction(name, &members))
        default: throw .unknownScreen
        }
        try members.finish()
    }

    /// Reads an action from its bytes.
    package init(reading bytes: [UInt8]) throws(ScreenActionError) { try self.init(try Self.read(bytes)) }

    /// Reads the JSON of an action, which may be another room's.
    package static func read(_ bytes: [UInt8]) throws(ScreenActionError) -> JSON {
        do throws(JSONError) {
            return try JSON(reading: bytes, byteLimit: ActionForm.maximumByteCount, depthLimit: 2)
        } catch {
            throw .notJSON
        }
    }

    /// The screen's name.
    package var screen: String {
        switch self {
        case .unlock: Self.unlockScreen
        case .biometrics: Self.biometricsScreen
        case .system: Self.systemScreen
        case .pin: Self.pinScreen
        case .recoveryKey: Self.recoveryKeyScreen
        case .app: Self.appScreen
        case .onboarding: Self.onboardingScreen
        case .recover: Self.recoverScreen
        case .words: Self.wordsScreen
        case .backup: Self.backupScreen
        case .trail: Self.trailScreen
        case .wallets: Self.walletsScreen
        }
    }

    /// Whether a secret comes beside it.
    package var takesSecret: Bool { form.takesSecret }

    /// Whether its answer has a secret beside it.
    package var givesSecret: Bool {
        switch self {
        case .system(.showRecoveryKey), .recoveryKey(.showKey), .words(.showWords): true
        case .wallets(let action): action.givesSecret
        case .unlock, .biometrics, .system, .pin, .recoveryKey, .app, .onboarding, .recover, .words, .backup, .trail:
            false
        }
    }

    /// The one form of the action, members sorted by name.
    package var json: JSON { form.json(on: screen) }

    private var form: ActionForm {
        switch self {
        case .unlock(let action): action.form
        case .biometrics(let action): action.form
        case .system(let action): action.form
        case .pin(let action): action.form
        case .recoveryKey(let action): action.form
        case .app(let action): action.form
        case .onboarding(let action): action.form
        case .recover(let action): action.form
        case .words(let action): action.form
        case .backup(let action): action.form
        case .trail(let action): action.form
        case .wallets(let action): action.form
        }
    }

    private static let unlockScreen = "unlock"
    private static let biometricsScreen = "biometrics"
    private static let systemScreen = "system"
    private static let pinScreen = "pin"
    private static let recoveryKeyScreen = "recoveryKey"
    private static let appScreen = "app"
    private static let onboardingScreen = "onboarding"
    private static let recoverScreen = "recover"
    private static let wordsScreen = "words"
    private static let backupScreen = "backup"
    private static let trailScreen = "trail"
    private static let walletsScreen = "wallets"
}
