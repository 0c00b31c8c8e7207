/// A stable code for everything that can go wrong, with what the user reads and what the user can do.
///
/// Codes are added, never renumbered or reused. `ERR-107-…` are seed 002's; `ERR-TT-…` are ours.
public struct ErrorCode: Hashable, Sendable {
    /// What gets the user on.
    public enum Recovery: Hashable, Sendable {
        /// Try the same again.
        case retry
        /// Ask for the PIN or password.
        case offerStrongFactor
        /// Ask for the PIN or password, then offer to turn biometrics on again.
        case strongFactorThenReenable
        /// Wait, then try again.
        case wait
        /// Give the recovery key.
        case useRecoveryKey
        /// Correct what was given.
        case correctInput
        /// Mend what is outside the vault: disk, permissions, version.
        case mendEnvironment
        /// Save what opens, then make a new vault.
        case exportAndRenew
        /// Authenticate with what the device itself asks for.
        case offerSystem
        /// Close the app and open it again, or reset the wallet (S-06).
        case reopen
    }

    /// How a command ends that meets it (design section 8).
    public enum Category: UInt8, Hashable, Sendable {
        /// Wrong secret, locked out, cancelled, not allowed.
        case refused = 1
        /// Wrong words or input.
        case usage = 2
        /// Storage or device unavailable.
        case unavailable = 3
        /// Something does not verify.
        case verificationFailed = 4
    }

    /// The code, for example `ERR-107-031`.
    public let text: String
    /// What gets the user on.
    public let recovery: Recovery
    /// How a command ends.
    public let category: Category
    let english: String
    let french: String

    /// Two errors are the same when their codes are.
    public static func == (left: ErrorCode, right: ErrorCode) -> Bool { left.text == right.text }

    /// Hashes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(text) }

    init(_ text: String, _ category: Category, _ recovery: Recovery, _ english: String, _ french: String) {
        self.text = text
        self.category = category
        self.recovery = recovery
        self.english = english
        self.french = french
    }
}

/// The languages of the catalogue.
public enum Language: Hashable, Sendable, CaseIterable {
    /// English.
    case english
    /// French, the language of seed 002.
    case french
}

extension ErrorCode {
    /// What the user reads.
    ///
    /// - Parameters:
    ///   - language: the user's.
    ///   - biometry: what the device has; where seed 002's text names Apple's two sensors and the device has neither of
    ///     them, the message names what it has.
    public func message(in language: Language, naming biometry: BiometricCapability.BiometryType? = nil) -> String {
        switch (language, self, biometry) {
        case (.english, .biometricsUnavailable, .touchID?): "Fingerprint recognition is not available on this device."
        case (.english, .biometricsUnavailable, .faceID?): "Face recognition is not available on this device."
        case (.french, .biometricsUnavailable, .touchID?):
            "Reconnaissance d'empreinte digitale non disponible sur cet appareil."
        case (.french, .biometricsUnavailable, .faceID?): "Reconnaissance faciale non disponible sur cet appareil."
        case (.english, _, _): english
        case (.french, _, _): french
        }
    }

    /// The one line that says what to do.
    ///
    /// - Parameters:
    ///   - language: the user's.
    ///   - recoveryKeyOpens: whether there is a recovery key, which need not wait; nobody is told of one that there isn't.
    public func hint(in language: Language, recoveryKeyOpens: Bool = false) -> String {
        let namesKey = recoveryKeyOpens && recovery == .wait
        return switch language {
        case .english: recovery.english + (namesKey ? "; the recovery key opens at once" : "")
        case .french: recovery.french + (namesKey ? " ; la clé de secours ouvre tout de suite" : "")
        }
    }
}

extension ErrorCode.Recovery {
    var english: String {
        switch self {
        case .retry: "try again"
        case .offerStrongFactor: "unlock with your PIN or password"
        case .strongFactorThenReenable: "unlock with your PIN or password, then enable biometrics again"
        case .wait: "leave the device on, or look again before you switch it off; then try again"
        case .useRecoveryKey: "open the vault with its recovery key"
        case .correctInput: "correct what was given and try again; nothing was changed"
        case .mendEnvironment: "mend the cause and try again; nothing was changed"
        case .exportAndRenew: "export what opens, then make a new vault"
        case .offerSystem: "unlock with what your device itself asks for"
        case .reopen: "close the app and open it again; a reset erases the wallet"
        }
    }

    var french: String {
        switch self {
        case .retry: "réessayez"
        case .offerStrongFactor: "déverrouillez avec votre code ou mot de passe"
        case .strongFactorThenReenable: "déverrouillez avec votre code ou mot de passe, puis réactivez la biométrie"
        case .wait: "laissez l'appareil allumé, ou revenez avant de l'éteindre ; puis réessayez"
        case .useRecoveryKey: "ouvrez le coffre avec sa clé de secours"
        case .correctInput: "corrigez la saisie et réessayez ; rien n'a été modifié"
        case .mendEnvironment: "corrigez la cause et réessayez ; rien n'a été modifié"
        case .exportAndRenew: "exportez ce qui s'ouvre, puis créez un nouveau coffre"
        case .offerSystem: "déverrouillez avec ce que votre appareil demande lui-même"
        case .reopen: "fermez l'application et rouvrez-la ; une réinitialisation efface le portefeuille"
        }
    }
}
