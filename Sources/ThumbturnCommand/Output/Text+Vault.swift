import Thumbturn
import ThumbturnConsole

extension Text {
    static func wallets(_ count: Int) -> Text {
        count == 1 ? Text("1 wallet", "1 portefeuille") : Text("\(count) wallets", "\(count) portefeuilles")
    }
}

extension SlotKind {
    var text: Text {
        switch self {
        case .localSecret: Text("PIN or password", "code ou mot de passe")
        case .biometric: Text("biometrics", "biométrie")
        case .recovery: Text("recovery key", "clé de secours")
        case .system: Text("system authentication", "authentification du système")
        }
    }
}

extension BiometricCapability.BiometryType {
    var text: Text {
        switch self {
        case .none: Text("no sensor", "pas de capteur")
        case .touchID: Text("fingerprint", "empreinte")
        case .faceID: Text("face", "visage")
        }
    }
}

extension WalletKind {
    var text: Text {
        switch self {
        case .mnemonic: Text("mnemonic", "phrase")
        case .privateKey: Text("private key", "clé privée")
        case .opaque: Text("opaque")
        }
    }
}

extension Assurance {
    var text: Text {
        switch self {
        case .simulated: Text("simulated", "simulated")
        case .softwareFile: Text("file", "fichier")
        case .osKeychain: Text("keychain", "trousseau")
        case .hardwareBound: Text("hardware", "matériel")
        }
    }
}
