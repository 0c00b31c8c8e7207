/// What guards a slot's secret, from weakest to strongest.
///
/// Callers can always query it, and every status shows it (B-06, C14).
@nonexhaustive
public enum Assurance: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// The simulated device: no protection at all.
    case simulated = 0
    /// A file that only the user may read: a thief of the disk has it.
    case softwareFile = 1
    /// The operating system's keychain.
    case osKeychain = 2
    /// Hardware that never reveals its key: Secure Enclave, TPM, StrongBox.
    case hardwareBound = 3

    /// Compares by strength.
    public static func < (left: Assurance, right: Assurance) -> Bool { left.rawValue < right.rawValue }

    /// The name as it appears in JSON.
    package var name: String {
        switch self {
        case .simulated: "simulated"
        case .softwareFile: "softwareFile"
        case .osKeychain: "osKeychain"
        case .hardwareBound: "hardwareBound"
        }
    }
}

/// The kind of device a vault was made on; it opens with that kind only.
@nonexhaustive
public enum DeviceKind: UInt8, Hashable, Sendable, CaseIterable {
    /// The embedded default, for demos and tests.
    case simulated = 0
    /// iOS and macOS.
    case apple = 1
    /// Linux with TPM 2.0 and fprintd, or files.
    case linux = 2
    /// Android.
    case android = 3

    /// The name as it appears in JSON and after `--device`.
    package var name: String {
        switch self {
        case .simulated: "simulated"
        case .apple: "apple"
        case .linux: "linux"
        case .android: "android"
        }
    }

    /// Whether such a device can authenticate the owner by a passcode, which system authentication requires (S-02).
    package var takesPasscode: Bool {
        switch self {
        case .simulated, .apple, .android: true
        case .linux: false
        }
    }
}
