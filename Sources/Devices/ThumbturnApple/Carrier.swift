import CryptoKit
import ThumbturnRules

/// What keeps the secrets of this device.
enum Carrier: UInt8, Hashable, Sendable, CaseIterable {
    /// A key in the Secure Enclave seals them, and never leaves it.
    case enclave = 0
    /// The keychain alone.
    case keychain = 1
    /// The simulator, whose keychain enforces no access control: a secret lies there behind nothing.
    case simulated = 2

    /// The best that this device has.
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
