/// The warning to show before the vault's mode changes; the interface passes back that the owner accepted it (S-04,
/// S-05).
@nonexhaustive
public enum SystemModeWarning: Hashable, Sendable, CaseIterable {
    /// System authentication is about to replace the PIN.
    case enabling
    /// The same where no recovery key exists: nothing but the device opens the vault afterwards.
    case enablingWithoutRecovery
    /// A new PIN is about to replace system authentication.
    case disabling

    private static let whatEnablingMeans = [
        Words(
            "The wallet will open with this device's own authentication, and with nothing else.",
            "Le portefeuille s'ouvrira avec l'authentification de cet appareil, et avec rien d'autre."
        ),
        Words(
            "The PIN will no longer open it, and Biometric Unlock is turned off.",
            "Le code ne l'ouvrira plus, et le déverrouillage biométrique est désactivé."
        ),
        Words(
            "Anyone who knows this device's passcode, or is enrolled on it, can open the wallet.",
            "Quiconque connaît le code de cet appareil, ou y est enregistré, peut ouvrir le portefeuille."
        ),
    ]

    /// Returns the explanation, one sentence per element.
    public func sentences(in language: Language) -> [String] { words.map { $0.in(language) } }

    /// The explanation in both languages.
    package var words: [Words] {
        switch self {
        case .enabling:
            Self.whatEnablingMeans + [
                Words(
                    "If the device loses its passcode, only the recovery key opens the wallet.",
                    "Si l'appareil perd son code, seule la clé de secours ouvre le portefeuille."
                )
            ]
        case .enablingWithoutRecovery:
            Self.whatEnablingMeans + [
                Words(
                    "There is no recovery key: if the device loses its passcode, breaks or is lost, nothing opens the wallet.",
                    "Il n'y a pas de clé de secours : si l'appareil perd son code, casse ou est perdu, rien n'ouvre le portefeuille."
                ),
                Words(
                    "Then only the words that you keep elsewhere bring your money back: check now that you have them all.",
                    "Alors seuls les mots que vous gardez ailleurs rendent votre argent : vérifiez maintenant que vous les avez tous."
                ),
            ]
        case .disabling:
            [
                Words(
                    "The wallet will open with a new PIN, and no longer with this device's own authentication.",
                    "Le portefeuille s'ouvrira avec un nouveau code, et plus avec l'authentification de cet appareil."
                ),
                Words(
                    "The wallet locks, and asks for the new PIN.",
                    "Le portefeuille se verrouille, et demande le nouveau code."
                ),
            ]
        }
    }
}
