// The words of our own screens; what each says is in it.
extension Word {
    /// All of them, each once.
    package static let ours = [
        cancel, openVault, usePIN, usePassword, locked, enterPIN, enterPassword, pin, password, unlock, deleteDigit,
        digitsEntered, empty, filledIn, unlockWithFaceID, unlockWithTouchID, tryAgainIn, useRecoveryKey, resetWallet,
        resetWarning, typeToConfirm, erased, newWallet, hidden, enableQuestion, enableAgainQuestion, consent, turnOn,
        turnOff, notNow, turnOffQuestion, systemMode, choosePIN, choosePassword, repeatPIN, repeatPassword, send,
        notEnrolled, lockedOut, permissionDenied, noPasscode, busySensor, longerSecret,
    ]

    package static let cancel = Word("Cancel", "Annuler")
    package static let openVault = Word("Open the vault", "Ouvrir le coffre")
    package static let usePIN = Word("Use PIN", "Utiliser le code")
    package static let usePassword = Word("Use password", "Utiliser le mot de passe")
    package static let locked = Word("Locked", "Verrouillé")
    package static let enterPIN = Word("Enter your PIN", "Saisissez votre code")
    package static let enterPassword = Word("Enter your password", "Saisissez votre mot de passe")
    package static let pin = Word("PIN", "Code")
    package static let password = Word("Password", "Mot de passe")
    package static let unlock = Word("Unlock", "Déverrouiller")
    package static let deleteDigit = Word("Delete the last digit", "Effacer le dernier chiffre")
    package static let digitsEntered = Word("Digits entered: %@", "Chiffres saisis : %@")
    package static let empty = Word("Empty", "Vide")
    package static let filledIn = Word("Filled in", "Saisi")
    package static let unlockWithFaceID = Word("Unlock with Face ID", "Déverrouiller avec Face ID")
    package static let unlockWithTouchID = Word("Unlock with Touch ID", "Déverrouiller avec Touch ID")
    package static let tryAgainIn = Word("Try again in %@", "Réessayez dans %@")
    package static let useRecoveryKey = Word("Use your recovery key", "Utiliser votre clé de secours")
    package static let resetWallet = Word("Reset wallet", "Réinitialiser le portefeuille")
    package static let resetWarning = Word(
        "This erases every wallet on this device. Without a backup, what they hold is lost.",
        "Ceci efface tous les portefeuilles de cet appareil. Sans sauvegarde, leur contenu est perdu."
    )
    package static let typeToConfirm = Word("Type %@ to confirm.", "Saisissez %@ pour confirmer.")
    package static let erased = Word("Everything was erased.", "Tout a été effacé.")
    package static let newWallet = Word("Create a new wallet", "Créer un nouveau portefeuille")
    package static let hidden = Word("Hidden", "Masqué")
    package static let enableQuestion = Word("Enable biometric unlock?", "Activer le déverrouillage biométrique ?")
    package static let enableAgainQuestion = Word(
        "Enable biometric unlock again?",
        "Activer à nouveau le déverrouillage biométrique ?"
    )
    package static let consent = Word(
        "Whoever is enrolled on this device will be able to open the vault.",
        "Quiconque est enrôlé sur cet appareil pourra ouvrir le coffre."
    )
    package static let turnOn = Word("Enable", "Activer")
    package static let turnOff = Word("Disable", "Désactiver")
    package static let notNow = Word("Skip", "Ignorer")
    package static let turnOffQuestion = Word(
        "The vault will open with your PIN or password alone.",
        "Le coffre ne s'ouvrira plus qu'avec votre code ou mot de passe."
    )
    package static let systemMode = Word("System authentication", "Authentification du système")
    package static let choosePIN = Word("Choose a new PIN", "Choisissez un nouveau code")
    package static let choosePassword = Word("Choose a new password", "Choisissez un nouveau mot de passe")
    package static let repeatPIN = Word("Type the new PIN again", "Saisissez à nouveau le nouveau code")
    package static let repeatPassword = Word(
        "Type the new password again",
        "Saisissez à nouveau le nouveau mot de passe"
    )
    package static let send = Word("OK", "OK")
    package static let notEnrolled = Word(
        "Nobody is enrolled. Enrol a finger or face in the device's settings.",
        "Personne n'est enrôlé. Ajoutez une empreinte ou un visage dans les réglages de l'appareil."
    )
    package static let lockedOut = Word(
        "The sensor is locked. Unlock the device with its passcode.",
        "Le capteur est verrouillé. Déverrouillez l'appareil avec son code."
    )
    package static let permissionDenied = Word(
        "This app may not use the sensor. Allow it in the device's settings.",
        "Cette application ne peut pas utiliser le capteur. Autorisez-la dans les réglages de l'appareil."
    )
    package static let noPasscode = Word(
        "The device has no passcode. Set one in its settings.",
        "L'appareil n'a pas de code. Définissez-en un dans ses réglages."
    )
    package static let longerSecret = Word(
        "This device no longer slows guessing down. If your PIN has fewer than 12 digits, choose a longer one, or a password.",
        "Cet appareil ne ralentit plus les essais. Si votre code a moins de 12 chiffres, changez-le, ou prenez un mot de passe."
    )
    package static let busySensor = Word("The sensor does not answer now.", "Le capteur ne répond pas pour l'instant.")

    /// Why biometrics can't be turned on.
    package init(_ obstacle: BiometricCapability.EnablingObstacle) {
        switch obstacle {
        case .assuranceTooLow: self.init(ErrorCode.assuranceTooLow)
        case .unavailable(.noHardware): self.init(ErrorCode.biometricsUnavailable)
        case .unavailable(.notEnrolled): self = .notEnrolled
        case .unavailable(.lockedOut): self = .lockedOut
        case .unavailable(.permissionDenied): self = .permissionDenied
        case .unavailable(.noPasscode): self = .noPasscode
        case .unavailable(.temporarilyUnavailable): self = .busySensor
        }
    }

    /// What a tap on the sensor's button does.
    package init(unlockWith biometry: BiometricCapability.BiometryType) {
        switch biometry {
        case .faceID: self = .unlockWithFaceID
        case .touchID: self = .unlockWithTouchID
        case .none: self = .unlock
        }
    }
}
