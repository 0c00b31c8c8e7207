package import ThumbturnJSON
package import ThumbturnRules

extension Words {
    /// Every text of the screens in one language, under its name in Swift.
    package static func json(in language: Language) -> JSON {
        .sorted(named.map { ($0.key, .string($0.value.in(language))) })
    }

    /// The texts of the vault's screens by name, but those of events, which say themselves what they are.
    static let named: [String: Words] = [
        "cancel": cancel, "openVault": openVault, "usePIN": usePIN, "usePassword": usePassword, "locked": locked,
        "enterPIN": enterPIN, "enterPassword": enterPassword, "pin": pin, "password": password, "unlock": unlock,
        "deleteDigit": deleteDigit, "digitsEntered": digitsEntered, "empty": empty, "filledIn": filledIn,
        "unlockWithFaceID": unlockWithFaceID, "unlockWithTouchID": unlockWithTouchID, "tryAgainIn": tryAgainIn,
        "useRecoveryKey": useRecoveryKey, "resetWallet": resetWallet, "resetWarning": resetWarning,
        "typeToConfirm": typeToConfirm, "erased": erased, "newWallet": newWallet, "hidden": hidden,
        "enableQuestion": enableQuestion, "enableAgainQuestion": enableAgainQuestion, "consent": consent,
        "turnOn": turnOn, "turnOff": turnOff, "notNow": notNow, "turnOffQuestion": turnOffQuestion,
        "passwordAlone": passwordAlone, "biometricUnlock": biometricUnlock, "enableSystemMode": enableSystemMode,
        "disableSystemMode": disableSystemMode, "choosePIN": choosePIN, "choosePassword": choosePassword,
        "repeatPIN": repeatPIN, "repeatPassword": repeatPassword, "send": send, "notEnrolled": notEnrolled,
        "lockedOut": lockedOut, "permissionDenied": permissionDenied, "noPasscode": noPasscode,
        "busySensor": busySensor, "longerSecret": longerSecret, "finishMoving": finishMoving,
        "twoWallets": twoWallets, "walletName": walletName, "doWithout": doWithout, "goOnWithout": goOnWithout,
        "askAgain": askAgain, "olderCopy": olderCopy, "olderCopyLoses": olderCopyLoses,
        "takeOlderCopy": takeOlderCopy, "onlyExport": onlyExport, "makeRecoveryKey": makeRecoveryKey,
        "recoveryKeyFirst": recoveryKeyFirst, "recoveryKey": recoveryKey, "writeItDown": writeItDown,
        "writtenDown": writtenDown, "typeItBack": typeItBack,
        "wordsTitle": wordsTitle, "wordsFirst": wordsFirst, "writeWordsDown": writeWordsDown,
        "wordsWritten": wordsWritten, "showWords": showWords, "screenCaptured": screenCaptured,
        "wordAsked": wordAsked, "word": word, "wordWrong": wordWrong, "wordsLeft": wordsLeft, "wordsDone": wordsDone,
        "done": done, "recoveryKeyIs": recoveryKeyIs, "recoveryKeyReplaces": recoveryKeyReplaces,
        "recoveryKeyUnchecked": recoveryKeyUnchecked, "typeKeyNow": typeKeyNow, "recoveryKeyDone": recoveryKeyDone,
        "backup": backup, "backupIs": backupIs, "backupMade": backupMade, "backupOlder": backupOlder,
        "makeBackup": makeBackup, "backupRunning": backupRunning, "backupDone": backupDone, "backupFile": backupFile,
        "shareBackup": shareBackup, "adviseRecoveryKey": adviseRecoveryKey, "adviseBackup": adviseBackup,
        "later": later, "changePIN": changePIN, "changePassword": changePassword, "pinChanged": pinChanged,
        "passwordChanged": passwordChanged, "biometricsStay": biometricsStay, "trail": trail,
        "trailEmpty": trailEmpty, "trailEarlier": trailEarlier, "trailUndelivered": trailUndelivered,
        "trailBroken": trailBroken, "trailIncomplete": trailIncomplete, "trailUnreadable": trailUnreadable,
        "failuresBefore": failuresBefore, "walletsExported": walletsExported, "moreFailures": moreFailures,
        "keepSecretInMind": keepSecretInMind, "makingVault": makingVault, "vaultIsReady": vaultIsReady, "goOn": goOn,
        "cannotOpen": cannotOpen, "wayBack": wayBack, "recoverExplained": recoverExplained,
        "noRecoveryKey": noRecoveryKey, "onlyErasing": onlyErasing, "secretStays": secretStays,
        "vaultNotOpened": vaultNotOpened, "projectIncomplete": projectIncomplete, "screenshotTaken": screenshotTaken,
    ]
}
