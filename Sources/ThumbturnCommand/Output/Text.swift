import Thumbturn
import ThumbturnSimulator

/// Words in both languages.
struct Text: Hashable, Sendable {
    let english: String
    let french: String

    init(_ english: String, _ french: String) {
        self.english = english
        self.french = french
    }

    /// Text that is the same in both, such as a name.
    init(_ both: String) {
        self.init(both, both)
    }

    func `in`(_ language: Language) -> String {
        switch language {
        case .english: english
        case .french: french
        }
    }

    static func + (left: Text, right: Text) -> Text {
        Text(left.english + right.english, left.french + right.french)
    }
}

extension Text {
    /// A span of time in its two largest units, such as `2 h 5 min`; what is left of a second counts as one.
    static func span(_ span: Milliseconds) -> Text {
        let seconds = max(0, span.count) / 1_000 + (span.count > 0 && span.count % 1_000 > 0 ? 1 : 0)
        let units: [(size: Int64, name: Text)] = [
            (86_400, Text(" d", " j")), (3_600, Text(" h")), (60, Text(" min")), (1, Text(" s")),
        ]
        guard let first = units.firstIndex(where: { $0.size <= seconds }) else { return Text("0 s") }
        var text = Text("\(seconds / units[first].size)") + units[first].name
        guard first + 1 < units.count else { return text }
        let rest = seconds % units[first].size / units[first + 1].size
        if rest > 0 { text = text + Text(" \(rest)") + units[first + 1].name }
        return text
    }

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
