// Said where a secret was in a picture of the screen; while it is recorded, `screenCaptured` is said instead of it.
extension Words {
    package static let screenshotTaken = Words(
        "A screenshot of this is now in your photos. Delete it there, and where photos are copied to.",
        "Une capture d'écran de ceci est maintenant dans vos photos. Supprimez-la, aussi là où vos photos sont copiées."
    )

    package static let captureWords = [screenshotTaken]
}
