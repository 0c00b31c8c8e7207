// The texts of our own screens. "Biometric Unlock" and its question are verbatim from seed 003, "Enable system
// authentication" from seed 000.
extension Words {
    /// All texts, without duplicates.
    package static let ours = [
        cancel, openVault, usePIN, usePassword, locked, enterPIN, enterPassword, pin, password, unlock, deleteDigit,
        digitsEntered, empty, filledIn, unlockWithFaceID, unlockWithTouchID, tryAgainIn, useRecoveryKey, resetWallet,
        resetWarning, typeToConfirm, erased, newWallet, hidden, enableQuestion, enableAgainQuestion, consent, turnOn,
        turnOff, notNow, turnOffQuestion, passwordAlone, biometricUnlock, enableSystemMode, disableSystemMode,
        choosePIN,
        choosePassword, repeatPIN, repeatPassword, send,
        notEnrolled, lockedOut, permissionDenied, noPasscode, busySensor, longerSecret,
        finishMoving, twoWallets, walletName, doWithout, goOnWithout, askAgain,
        olderCopy, olderCopyLoses, takeOlderCopy, onlyExport,
        makeRecoveryKey, recoveryKeyFirst, recoveryKey, writeItDown, writtenDown, typeItBack,
    ]

    package static let cancel = Words("Cancel", "Annuler")
    package static let openVault = Words("Open the vault", "Ouvrir le coffre")
    package static let usePIN = Words("Use PIN", "Utiliser le code")
    package static let usePassword = Words("Use password", "Utiliser le mot de passe")
    package static let locked = Words("Locked", "Verrouillé")
    package static let enterPIN = Words("Enter your PIN", "Saisissez votre code")
    package static let enterPassword = Words("Enter your password", "Saisissez votre mot de passe")
    package static let pin = Words("PIN", "Code")
    package static let password = Words("Password", "Mot de passe")
    package static let unlock = Words("Unlock", "Déverrouiller")
    package static let deleteDigit = Words("Delete the last digit", "Effacer le dernier chiffre")
    package static let digitsEntered = Words("Digits entered: %@", "Chiffres saisis : %@")
    package static let empty = Words("Empty", "Vide")
    package static let filledIn = Words("Filled in", "Saisi")
    package static let unlockWithFaceID = Words("Unlock with Face ID", "Déverrouiller avec Face ID")
    package static let unlockWithTouchID = Words("Unlock with Touch ID", "Déverrouiller avec Touch ID")
    package static let tryAgainIn = Words("Try again in %@", "Réessayez dans %@")
    package static let useRecoveryKey = Words("Use your recovery key", "Utiliser votre clé de secours")
    package static let resetWallet = Words("Reset wallet", "Réinitialiser le portefeuille")
    package static let resetWarning = Words(
        "This erases every wallet on this device. Without a backup, their contents are lost.",
        "Ceci efface tous les portefeuilles de cet appareil. Sans sauvegarde, leur contenu est perdu."
    )
    package static let typeToConfirm = Words("Type %@ to confirm.", "Saisissez %@ pour confirmer.")
    package static let erased = Words("Everything was erased.", "Tout a été effacé.")
    package static let newWallet = Words("Create a new wallet", "Créer un nouveau portefeuille")
    package static let hidden = Words("Hidden", "Masqué")
    package static let enableQuestion = Words("Enable Biometric Unlock?", "Activer le déverrouillage biométrique ?")
    package static let enableAgainQuestion = Words(
        "Enable Biometric Unlock again?",
        "Activer à nouveau le déverrouillage biométrique ?"
    )
    package static let consent = Words(
        "Anyone enrolled on this device will be able to open the vault.",
        "Toute personne enregistrée sur cet appareil pourra ouvrir le coffre."
    )
    package static let turnOn = Words("Enable", "Activer")
    package static let turnOff = Words("Disable", "Désactiver")
    package static let notNow = Words("Skip", "Ignorer")
    package static let turnOffQuestion = Words(
        "The vault will open with your PIN or password alone.",
        "Le coffre ne s'ouvrira plus qu'avec votre code ou mot de passe."
    )
    package static let passwordAlone = turnOffQuestion.naming(.accountPassword)
    package static let biometricUnlock = Words("Biometric Unlock", "Déverrouillage biométrique")
    package static let enableSystemMode = Words("Enable system authentication", "Activer l'authentification du système")
    package static let disableSystemMode = Words(
        "Disable system authentication",
        "Désactiver l'authentification du système"
    )
    package static let choosePIN = Words("Choose a new PIN", "Choisissez un nouveau code")
    package static let choosePassword = Words("Choose a new password", "Choisissez un nouveau mot de passe")
    package static let repeatPIN = Words("Type the new PIN again", "Saisissez à nouveau le nouveau code")
    package static let repeatPassword = Words(
        "Type the new password again",
        "Saisissez à nouveau le nouveau mot de passe"
    )
    package static let send = Words("OK", "OK")
    package static let notEnrolled = Words(
        "No finger or face is enrolled. Add one in the device's settings.",
        "Aucune empreinte ni aucun visage n'est enregistré. Ajoutez-en dans les réglages de l'appareil."
    )
    package static let lockedOut = Words(
        "The sensor is locked. Unlock the device with its passcode.",
        "Le capteur est verrouillé. Déverrouillez l'appareil avec son code."
    )
    package static let permissionDenied = Words(
        "This app may not use the sensor. Allow it in the device's settings.",
        "Cette application ne peut pas utiliser le capteur. Autorisez-la dans les réglages de l'appareil."
    )
    package static let noPasscode = Words(
        "The device has no passcode. Set one in its settings.",
        "L'appareil n'a pas de code. Définissez-en un dans ses réglages."
    )
    package static let longerSecret = Words(
        "This device no longer slows down guessing. If your PIN has fewer than 12 digits, choose a longer one, or a password.",
        "Cet appareil ne ralentit plus les essais. Si votre code a moins de 12 chiffres, changez-le, ou prenez un mot de passe."
    )
    package static let finishMoving = Words("Finish moving your wallet", "Terminer le transfert du portefeuille")
    package static let twoWallets = Words(
        "There is another wallet under your PIN. Both are kept: what is it called?",
        "Il y a un autre portefeuille sous votre code. Les deux sont gardés : comment l'appeler ?"
    )
    package static let walletName = Words("Name of the wallet", "Nom du portefeuille")
    package static let doWithout = Words(
        "Without your finger or face the vault gets a new key, and Biometric Unlock is off until you enable it again.",
        "Sans doigt ni visage, le coffre reçoit une nouvelle clé, et le déverrouillage biométrique est désactivé tant que vous ne le réactivez pas."
    )
    package static let goOnWithout = Words("Continue without it", "Continuer sans")
    package static let askAgain = Words("Try again", "Réessayer")
    package static let olderCopy = Words(
        "An older copy of the vault was put back, or its record was changed: you can only export.",
        "Une copie plus ancienne du coffre a été remise, ou son registre modifié : seule l'exportation est possible."
    )
    package static let olderCopyLoses = Words(
        "If no newer copy is left, you can make this one the vault. Changes made since then are lost.",
        "S'il n'en reste pas de plus récente, vous pouvez en faire le coffre. Ce qui a changé depuis est perdu."
    )
    package static let takeOlderCopy = Words("Use this copy", "Utiliser cette copie")
    package static let onlyExport = Words("Only export", "Exporter seulement")
    package static let makeRecoveryKey = Words("Make a recovery key", "Créer une clé de secours")
    package static let recoveryKeyFirst = Words(
        "System authentication needs a recovery key first: if the device loses its passcode, nothing else opens the vault.",
        "Il faut d'abord une clé de secours : si l'appareil perd son code, rien d'autre n'ouvre le coffre."
    )
    package static let recoveryKey = Words("Recovery key", "Clé de secours")
    package static let writeItDown = Words(
        "This key opens the vault and its copies without the PIN. Write it down on paper, and keep it apart from them.",
        "Cette clé ouvre le coffre et ses copies sans le code. Notez-la sur papier, et gardez-la à part."
    )
    package static let writtenDown = Words("I have written it down", "Je l'ai notée")
    package static let typeItBack = Words("Type the recovery key", "Saisissez la clé de secours")
    package static let busySensor = Words(
        "The sensor is not answering now.",
        "Le capteur ne répond pas pour l'instant."
    )

    /// Creates the explanation why biometrics can't be turned on.
    package init(_ obstacle: BiometricCapability.EnablingObstacle) {
        switch obstacle {
        case .assuranceTooLow: self = ErrorCode.assuranceTooLow.message()
        case .unavailable(.noHardware): self = ErrorCode.biometricsUnavailable.message()
        case .unavailable(.notEnrolled): self = .notEnrolled
        case .unavailable(.lockedOut): self = .lockedOut
        case .unavailable(.permissionDenied): self = .permissionDenied
        case .unavailable(.noPasscode): self = .noPasscode
        case .unavailable(.temporarilyUnavailable): self = .busySensor
        }
    }

    /// Creates the label of the sensor's button.
    package init(unlockWith biometry: BiometricCapability.BiometryType) {
        switch biometry {
        case .faceID: self = .unlockWithFaceID
        case .touchID: self = .unlockWithTouchID
        case .none: self = .unlock
        }
    }
}
