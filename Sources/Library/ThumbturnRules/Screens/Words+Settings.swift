// The texts of the screens behind the settings: words, recovery key, backup, PIN change and trail.
extension Words {
    /// All texts; those of events have duplicates.
    package static let settingsWords =
        [
            wordsTitle, wordsFirst, writeWordsDown, wordsWritten, showWords, screenCaptured, wordAsked, word, wordWrong,
            wordsLeft, wordsDone, done,
            recoveryKeyIs, recoveryKeyReplaces, recoveryKeyUnchecked, typeKeyNow, recoveryKeyDone,
            backup, backupIs, backupMade, backupOlder, makeBackup, backupRunning, backupDone, backupFile, shareBackup,
            adviseRecoveryKey, adviseBackup, later,
            changePIN, changePassword, pinChanged, passwordChanged, biometricsStay,
            trail, trailEmpty, trailEarlier, trailUndelivered, trailBroken, trailIncomplete, trailUnreadable,
            failuresBefore, walletsExported, moreFailures,
        ] + AuditEventKind.words + BiometricCapability.BiometryType.allCases.map { $0.text }

    package static let wordsTitle = Words("Your wallet's words", "Les mots de votre portefeuille")
    package static let wordsFirst = Words(
        "Whoever has these words has the coins. Be alone, and have pen and paper ready.",
        "Qui a ces mots a les fonds. Soyez seul, avec un crayon et du papier."
    )
    package static let writeWordsDown = Words(
        "Write every word down in its order, on paper alone. They are shown once.",
        "Notez chaque mot dans l'ordre, sur papier seulement. Ils ne sont montrés qu'une fois."
    )
    package static let wordsWritten = Words("I have written them down", "Je les ai notés")
    package static let showWords = Words("Show the words", "Montrer les mots")
    package static let screenCaptured = Words(
        "The screen is being recorded or shown elsewhere: nothing secret is on it until that ends.",
        "L'écran est enregistré ou affiché ailleurs : rien de secret n'y paraît tant que cela dure."
    )
    package static let wordAsked = Words("Type word %@", "Saisissez le mot nº %@")
    package static let word = Words("Word", "Mot")
    package static let wordWrong = Words(
        "Word %@ is not the one that was shown. Look at your paper.",
        "Le mot nº %@ n'est pas celui qui a été montré. Regardez votre papier."
    )
    package static let wordsLeft = Words("Still to type: %@", "Encore à saisir : %@")
    package static let wordsDone = Words(
        "What you wrote down is right. Keep the paper where nobody looks.",
        "Ce que vous avez noté est juste. Gardez le papier à l'abri des regards."
    )
    package static let done = Words("Done", "Terminé")

    package static let recoveryKeyIs = Words(
        "A recovery key opens backups and copies of the vault, and the vault itself when the PIN does not.",
        "Une clé de secours ouvre les sauvegardes et les copies du coffre, et le coffre lui-même si le code ne l'ouvre pas."
    )
    package static let recoveryKeyReplaces = Words(
        "A new key replaces the present one. Backups that exist still open with the old key.",
        "Une nouvelle clé remplace l'actuelle. Les sauvegardes existantes s'ouvrent toujours avec l'ancienne."
    )
    package static let recoveryKeyUnchecked = Words(
        "A key was shown but never typed back. It opens nothing until you type it.",
        "Une clé a été montrée mais jamais saisie. Elle n'ouvre rien tant que vous ne la saisissez pas."
    )
    package static let typeKeyNow = Words("Type the key that I wrote down", "Saisir la clé que j'ai notée")
    package static let recoveryKeyDone = Words(
        "The recovery key is in force. Make a new backup now.",
        "La clé de secours est en vigueur. Faites maintenant une nouvelle sauvegarde."
    )

    package static let backup = Words("Backup", "Sauvegarde")
    package static let backupIs = Words(
        "A backup is one file with every wallet. Only the recovery key opens it, on any device.",
        "Une sauvegarde est un fichier avec tous les portefeuilles. Seule la clé de secours l'ouvre, sur tout appareil."
    )
    package static let backupMade = Words("Last backup", "Dernière sauvegarde")
    package static let backupOlder = Words(
        "No backup has the wallets as they are now.",
        "Aucune sauvegarde n'a les portefeuilles dans leur état actuel."
    )
    package static let makeBackup = Words("Make a backup", "Faire une sauvegarde")
    package static let backupRunning = Words("Wallets written: %@", "Portefeuilles écrits : %@")
    package static let backupDone = Words("The backup was written.", "La sauvegarde est écrite.")
    package static let backupFile = Words("File: %@", "Fichier : %@")
    package static let shareBackup = Words("Share", "Partager")
    package static let adviseRecoveryKey = Words(
        "Without a recovery key a lost or broken device takes your wallets with it.",
        "Sans clé de secours, un appareil perdu ou cassé emporte vos portefeuilles."
    )
    package static let adviseBackup = Words(
        "Your wallets have changed since the last backup, or there is none.",
        "Vos portefeuilles ont changé depuis la dernière sauvegarde, ou il n'y en a pas."
    )
    package static let later = Words("Later", "Plus tard")

    package static let changePIN = Words("Change PIN", "Changer de code")
    package static let changePassword = Words("Change password", "Changer de mot de passe")
    package static let pinChanged = Words("The new PIN is in force.", "Le nouveau code est en vigueur.")
    package static let passwordChanged = Words(
        "The new password is in force.",
        "Le nouveau mot de passe est en vigueur."
    )
    package static let biometricsStay = Words(
        "Biometric Unlock stays on.",
        "Le déverrouillage biométrique reste actif."
    )

    package static let trail = Words("What happened", "Ce qui s'est passé")
    package static let trailEmpty = Words("Nothing has happened yet.", "Il ne s'est encore rien passé.")
    package static let trailEarlier = Words("Show earlier events", "Montrer les événements plus anciens")
    package static let trailUndelivered = Words("Not sent to the service yet: %@", "Pas encore envoyés au service : %@")
    package static let trailBroken = Words(
        "Event %@ is missing or damaged: what follows it can't be believed, and is not shown.",
        "L'événement %@ manque ou est abîmé : ce qui suit n'est pas crédible, et n'est pas montré."
    )
    package static let trailIncomplete = Words(
        "Earlier events are missing: they are lost or damaged, or somebody removed them.",
        "Des événements plus anciens manquent : perdus, abîmés, ou retirés par quelqu'un."
    )
    package static let trailUnreadable = Words(
        "What happened can't be read now.",
        "Le journal n'est pas lisible maintenant."
    )
    package static let failuresBefore = Words("failures before: %@", "échecs avant : %@")
    package static let walletsExported = Words("wallets: %@", "portefeuilles : %@")
    package static let moreFailures = Words("more of these: %@", "autres : %@")
}
