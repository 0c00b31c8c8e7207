import Thumbturn
import ThumbturnConsole

extension Words {
    static func wallets(_ count: Int) -> Words {
        // In French zero takes the singular too.
        Words(
            count == 1 ? "1 wallet" : "\(count) wallets",
            count < 2 ? "\(count) portefeuille" : "\(count) portefeuilles"
        )
    }
}

extension BiometricCapability.BiometryType {
    /// What the sensor reads, as the subject of a sentence.
    var subject: Words {
        switch self {
        case .none: text
        case .touchID: Words("a fingerprint", "l'empreinte")
        case .faceID: Words("a face", "le visage")
        }
    }
}

extension WalletKind {
    var text: Words {
        switch self {
        case .mnemonic: Words("mnemonic", "phrase")
        case .privateKey: Words("private key", "clé privée")
        case .opaque: Words("opaque")
        }
    }
}

extension Assurance {
    var text: Words {
        switch self {
        case .simulated: Words("simulated", "simulé")
        case .softwareFile: Words("file", "fichier")
        case .osKeychain: Words("keychain", "trousseau")
        case .hardwareBound: Words("hardware", "matériel")
        }
    }
}
