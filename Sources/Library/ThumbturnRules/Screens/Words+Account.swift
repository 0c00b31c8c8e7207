// The texts of an account's screens; they are in the catalogue of all screens, which a PIN's wallet has too.
extension Words {
    /// All texts, without duplicates.
    package static let accountWords = [
        account, createAccount, logIn, accountExplanation, accountName, passwordAdvice, unusualPassword, askingService,
        accountExisted, back, changedEverywhere, passwordUncertain, samePassword, changeLeaves,
        accountDevices, showDevices, thisDevice, unnamedDevice, listedSince, notListed, revoke, revokeQuestion,
        revokeWarning, revoked, removedHere, serviceElsewhereQuestion, serviceKnownAt, serviceAskedAt, followWarning,
        follow, allSent, eventWaits, eventsWait, lastSent, sendNow, logNeedsLogin, logRefuses, logContradicts,
    ]

    package static let account = Words("Account", "Compte")
    package static let createAccount = Words("Create an account", "Créer un compte")
    package static let logIn = Words("Log in", "Se connecter")
    package static let accountExplanation = Words(
        "One password opens a vault on each of your devices. Its service never sees it.",
        "Un seul mot de passe ouvre un coffre sur chacun de vos appareils. Son service ne le voit jamais."
    )
    package static let accountName = Words("Name of the account", "Nom du compte")
    package static let passwordAdvice = Words(
        "A few words that have nothing to do with each other are best. Nobody can reset this password: it is part of the key.",
        "Le mieux : quelques mots sans rapport entre eux. Personne ne peut réinitialiser ce mot de passe : il fait partie de la clé."
    )
    package static let unusualPassword = Words(
        "Another keyboard may type some of these characters differently.",
        "Un autre clavier peut taper autrement certains de ces caractères."
    )
    package static let askingService = Words("Asking the account's service…", "Le service du compte est consulté…")
    package static let accountExisted = Words(
        "The account existed already, and this is its password: this device has joined it.",
        "Le compte existait déjà, et c'est son mot de passe : cet appareil l'a rejoint."
    )
    package static let back = Words("Back", "Retour")
    package static let changedEverywhere = Words(
        "The password was changed. Biometrics are off here, and on other devices from their next contact.",
        "Le mot de passe est changé. La biométrie est désactivée ici, et sur les autres appareils à leur prochain contact."
    )
    package static let passwordUncertain = Words(
        "The old or the new password may count now. Log in to learn which.",
        "L'ancien ou le nouveau mot de passe peut compter à présent. Connectez-vous pour savoir lequel."
    )
    package static let samePassword = Words(
        "The new password is the same as the present one.",
        "Le nouveau mot de passe est le même que l'actuel."
    )
    package static let changeLeaves = Words(
        "Open sessions, recovery keys and earlier copies are not affected.",
        "Les sessions ouvertes, les clés de secours et les copies antérieures restent valables."
    )
    package static let accountDevices = Words("Devices of the account", "Appareils du compte")
    package static let showDevices = Words("Show the devices", "Afficher les appareils")
    package static let thisDevice = Words("This device", "Cet appareil")
    package static let unnamedDevice = Words("A device without a name", "Un appareil sans nom")
    package static let listedSince = Words("Listed since %@", "Inscrit depuis le %@")
    package static let notListed = Words("No longer listed", "N'est plus inscrit")
    package static let revoke = Words("Revoke", "Révoquer")
    package static let revokeQuestion = Words("Revoke this device? %@", "Révoquer cet appareil ? %@")
    package static let revokeWarning = Words(
        "Its finger or face ends at its next contact, or after 7 days. What is only in its vault opens with its recovery key alone.",
        "Son doigt ou visage prend fin à son prochain contact, ou après 7 jours. Ce qui n'est que dans son coffre ne s'ouvre plus qu'avec sa clé de secours."
    )
    package static let revoked = Words("Revoked: %@", "Révoqué : %@")
    package static let removedHere = Words(
        "This device was removed from the account. If that was a mistake, unlock with your password. If it is refused, only the recovery key opens what is here.",
        "Cet appareil a été retiré du compte. Si c'est une erreur, déverrouillez avec votre mot de passe. S'il est refusé, seule la clé de secours ouvre ce qui est ici."
    )
    package static let serviceElsewhereQuestion = Words(
        "Has the account's service moved?",
        "Le service du compte a-t-il déménagé ?"
    )
    package static let serviceKnownAt = Words("This vault knows it at %@", "Ce coffre le connaît à l'adresse %@")
    package static let serviceAskedAt = Words("This app asks it at %@", "Cette app le consulte à l'adresse %@")
    package static let followWarning = Words(
        "Follow it only if you know of the move. It has to prove that it is the same service.",
        "Ne le suivez que si vous savez qu'il a déménagé. Il doit prouver qu'il est le même service."
    )
    package static let follow = Words("Follow it", "Le suivre")
    package static let allSent = Words(
        "The account's log has all events.",
        "Le registre du compte a tous les événements."
    )
    package static let eventWaits = Words(
        "1 event waits for the account's log.",
        "1 événement attend le registre du compte."
    )
    package static let eventsWait = Words(
        "Events that wait for the account's log: %@",
        "Événements qui attendent le registre du compte : %@"
    )
    package static let lastSent = Words("Last sent: %@", "Dernier envoi : %@")
    package static let sendNow = Words("Send now", "Envoyer maintenant")
    package static let logNeedsLogin = Words(
        "The service has to be told of this device or its log again: unlock with your password.",
        "Le service ou son registre doit être redemandé : déverrouillez avec votre mot de passe."
    )
    package static let logRefuses = Words(
        "The service refuses the events. Ask its operator.",
        "Le service refuse les événements. Demandez à son exploitant."
    )
    package static let logContradicts = Words(
        "The service's log contradicts what the service signed. Keep the vault, and ask its operator.",
        "Le registre du service contredit ce que le service a signé. Gardez le coffre, et demandez à son exploitant."
    )
}
