import Thumbturn
import ThumbturnConsole

// Every option of every command.

extension Option where Value == Void {
    static var biometrics: Self { Self("--biometrics") }
    static var noBiometrics: Self { Self("--no-biometrics") }
    static var recovery: Self { Self("--recovery") }
    static var acceptOlderCopy: Self { Self("--accept-older-copy") }
    static var giveUp: Self { Self("--give-up") }
    static var mnemonic: Self { Self("--mnemonic") }
    static var privateKey: Self { Self("--private-key") }
    static var opaque: Self { Self("--opaque") }
    static var bulk: Self { Self("--bulk") }
    static var raw: Self { Self("--raw") }
    static var all: Self { Self("--all") }
    static var force: Self { Self("--force") }
    static var noShow: Self { Self("--no-show") }
    static var clipboard: Self { Self("--clipboard") }
    static var dryRun: Self { Self("--dry-run") }
    static var offlinePassword: Self { Self("--offline-password") }
    static var acceptWeaker: Self { Self("--accept-weaker") }
    static var former: Self { Self("--former") }
}

extension Option where Value == String {
    static var vault: Self { .text("--vault", .folder) }
    /// `WalletSource` says which secret opens the file.
    static var from: Self { .text("--from", .file) }
    static var output: Self { .text("--output", .file) }
    static var name: Self { Self("--name") { text in text } }
    static var service: Self { .text("--service") }
    static var authority: Self { .text("--ca", .file) }
    static var pinnedKey: Self { .text("--pin") }
    static var publicKey: Self { .text("--key", .file, isRepeatable: true) }
    static var revoke: Self { .text("--revoke") }
    static var deviceName: Self {
        Self("--device-name") { text throws(Failure) in
            guard DeviceName(text) != nil else {
                throw .usage(
                    Words(
                        "--device-name must have 1 to 64 visible characters",
                        "--device-name doit avoir 1 à 64 caractères visibles"
                    )
                )
            }
            return text
        }
    }
}

extension Option where Value == SecretSource {
    static var file: Self { Self("--file", .file) { path throws(Failure) in try SecretSource(path) } }
}

extension Option where Value == DeviceOption {
    static var device: Self {
        Self("--device", .words(DeviceOption.allCases.map(\.rawValue))) { text throws(Failure) in
            guard let option = DeviceOption(rawValue: text) else {
                throw .usage(
                    Words(
                        "--device must be `linux`, `files` or `simulated`",
                        "--device doit être `linux`, `files` ou `simulated`"
                    )
                )
            }
            return option
        }
    }
}

enum PolicyName: String, Sendable, CaseIterable {
    case wallet, pd107

    /// How to create a vault that an account's password opens.
    static let accountVault = Words(
        "`thumbturn account register NAME --service URL` makes a vault with an account",
        "`thumbturn account register NOM --service URL` crée un coffre avec un compte"
    )
}

extension Option where Value == PolicyName {
    static var policy: Self {
        Self("--policy", .words([PolicyName.wallet.rawValue])) { text throws(Failure) in
            switch PolicyName(rawValue: text) {
            case .wallet?: return .wallet
            case .pd107?: throw Failure(.accountRequired, hint: PolicyName.accountVault)
            case nil: throw .usage(Words("--policy must be `wallet`", "--policy doit être `wallet`"))
            }
        }
    }
}

enum Requirement: String, Sendable {
    case hardware
}

extension Option where Value == Requirement {
    static var require: Self {
        Self("--require", .words([Requirement.hardware.rawValue])) { text throws(Failure) in
            guard let least = Requirement(rawValue: text) else {
                throw .usage(Words("--require must be `hardware`", "--require doit être `hardware`"))
            }
            return least
        }
    }
}

extension Option where Value == Int32 {
    static var secretDescriptor: Self {
        Self("--secret-fd") { text throws(Failure) in
            guard let descriptor = Int32(text), descriptor >= 0 else {
                throw .usage(Words("--secret-fd must be a number", "--secret-fd doit être un nombre"))
            }
            return descriptor
        }
    }
}

extension Option where Value == Int {
    static var missing: Self {
        Self("--missing") { text throws(Failure) in
            guard let count = Int(text), count >= 0 else {
                throw .usage(Words("--missing must be a number", "--missing doit être un nombre"))
            }
            return count
        }
    }
}

extension Option where Value == UInt16 {
    static var port: Self {
        Self("--port") { text throws(Failure) in
            guard let port = UInt16(text) else {
                throw .usage(Words("--port must be a number up to 65535", "--port doit être un nombre jusqu'à 65535"))
            }
            return port
        }
    }
}

extension Option where Value == Mnemonic.WordCount {
    static var words: Self {
        Self("--words", .words(Mnemonic.WordCount.allCases.map { String($0.rawValue) })) { text throws(Failure) in
            guard let words = Int(text).flatMap(Mnemonic.WordCount.init) else {
                throw .usage(Words("--words must be 12, 15, 18, 21 or 24", "--words doit être 12, 15, 18, 21 ou 24"))
            }
            return words
        }
    }
}
