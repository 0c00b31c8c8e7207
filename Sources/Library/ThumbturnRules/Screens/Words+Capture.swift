// Said where a secret would be, or was, in a picture of the screen.
extension Words {
    package static let hiddenWhileRecorded = Words(
        "Hidden while the screen is recorded or shared.",
        "Masqué pendant que l'écran est enregistré ou partagé."
    )
    package static let screenshotTaken = Words(
        "A screenshot of this is now in your photos. Delete it there, and where photos are copied to.",
        "Une capture d'écran de ceci est maintenant dans vos photos. Supprimez-la, aussi là où vos photos sont copiées."
    )

    package static let captureWords = [hiddenWhileRecorded, screenshotTaken]
}
