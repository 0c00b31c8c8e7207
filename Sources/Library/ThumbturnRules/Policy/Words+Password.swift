extension Words {
    /// Returns the texts with "PIN" replaced where an account's password opens the vault, which has no PIN.
    ///
    /// Only for our own texts: a name or a path in them would be changed too.
    package func naming(_ factor: VaultPolicy.StrongFactor) -> Words {
        guard factor == .accountPassword else { return self }
        let named = Self.replacing(english, Self.english)
        // The French "code" means a PIN only where the English text names one.
        return named == english ? self : Words(named, Self.replacing(french, Self.french))
    }

    private static let english: [(former: String, password: String)] = [
        ("PIN or password", "password"), ("PINs", "passwords"), ("PIN", "password"),
    ]
    private static let french: [(former: String, password: String)] = [
        // Keep the device's passcode.
        ("code de l'appareil", "code de l'appareil"), ("code d'appareil", "code d'appareil"),
        ("code ou mot de passe", "mot de passe"), ("Code ou mot de passe", "Mot de passe"),
        ("codes", "mots de passe"), ("code", "mot de passe"), ("Code", "Mot de passe"),
    ]

    private static func replacing(_ text: String, _ pairs: [(former: String, password: String)]) -> String {
        var (rest, replaced) = (text[...], "")
        while let next = rest.first {
            if let pair = pairs.first(where: { rest.hasPrefix($0.former) }) {
                replaced += pair.password
                rest = rest.dropFirst(pair.former.count)
            } else {
                replaced.append(next)
                rest = rest.dropFirst()
            }
        }
        return replaced
    }
}
