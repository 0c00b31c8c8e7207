// The texts of the first start and of the way back.
extension Words {
    package static let firstStartWords = [
        keepSecretInMind, makingVault, vaultIsReady, goOn, cannotOpen, wayBack, recoverExplained, noRecoveryKey,
        onlyErasing, secretStays, vaultNotOpened, projectIncomplete,
    ]

    package static let keepSecretInMind = Words(
        "Remember it well: without it only a recovery key opens the vault.",
        "Retenez-le bien : sans lui, seule une clé de secours ouvre le coffre."
    )
    package static let makingVault = Words("Your vault is being made.", "Création de votre coffre.")
    package static let vaultIsReady = Words(
        "Your vault is ready, without Biometric Unlock. You can enable it later.",
        "Votre coffre est prêt, sans déverrouillage biométrique. Vous pourrez l'activer plus tard."
    )
    package static let goOn = Words("Continue", "Continuer")
    package static let cannotOpen = Words("I can't open it", "Je n'arrive pas à l'ouvrir")
    package static let wayBack = Words("Open the vault another way", "Ouvrir le coffre autrement")
    package static let recoverExplained = Words(
        "Your recovery key opens the vault, and you choose a new PIN or password. Biometric Unlock is off afterwards.",
        "Votre clé de secours ouvre le coffre, et vous choisissez un nouveau code ou mot de passe. Le déverrouillage biométrique est ensuite désactivé."
    )
    package static let noRecoveryKey = Words("I have no recovery key", "Je n'ai pas de clé de secours")
    package static let onlyErasing = Words(
        "Without your PIN or password and without a recovery key, nobody can open this vault. If you have your words on paper, erase it, create a new wallet, and import them.",
        "Sans votre code ou mot de passe ni clé de secours, personne ne peut ouvrir ce coffre. Si vous avez vos mots sur papier, effacez-le, créez un nouveau portefeuille et importez-les."
    )
    package static let secretStays = Words(
        "The vault is open. Your PIN or password is still the former one.",
        "Le coffre est ouvert. Votre code ou mot de passe reste le même."
    )
    package static let vaultNotOpened = Words("The vault can't be opened now", "Le coffre ne peut pas être ouvert")
    package static let projectIncomplete = Words("This app is not set up", "Cette application n'est pas configurée")
}
