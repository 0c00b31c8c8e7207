import CryptoKit
import ThumbturnRules

/// The place of this device's secrets.
enum Carrier: UInt8, Hashable, Sendable, CaseIterable {
    /// Sealed by a key in the Secure Enclave, which never leaves it.
    case enclave = 0
    /// The keychain only.
    case keychain = 1
    /// The simulator, whose keychain enforces no access control: secrets are unguarded there.
    case simulated = 2

    /// The best carrier of this device.
    static var best: Carrier {
        #if targetEnvironment(simulator)
        .simulated
        #else
        SecureEnclave.isAvailable ? .enclave : .keychain
        #endif
    }

    var assurance: Assurance {
        switch self {
        case .enclave: .hardwareBound
        case .keychain: .osKeychain
        case .simulated: .simulated
        }
    }
}
