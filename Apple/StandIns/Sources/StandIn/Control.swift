/// When the key of an item is there; the raw values are Apple's.
public enum Protection: String, Sendable, CaseIterable {
    case whenUnlocked = "ak"
    case afterFirstUnlock = "ck"
    case always = "dk"
    case whenUnlockedThisDeviceOnly = "aku"
    case afterFirstUnlockThisDeviceOnly = "cku"
    case alwaysThisDeviceOnly = "dku"
    case whenPasscodeSetThisDeviceOnly = "akpu"

    /// Whether a backup brings the item to another device.
    public var leavesDevice: Bool {
        switch self {
        case .whenUnlocked, .afterFirstUnlock, .always: true
        case .whenUnlockedThisDeviceOnly, .afterFirstUnlockThisDeviceOnly, .alwaysThisDeviceOnly,
            .whenPasscodeSetThisDeviceOnly:
            false
        }
    }
}

/// What guards an item or a key.
public struct Control: Hashable, Sendable {
    /// The flags' bits, as in `SecAccessControlCreateFlags` [apple-src].
    public var flags: UInt
    /// When the key is there.
    public var protection: Protection

    public static let userPresence: UInt = 1 << 0
    public static let biometryAny: UInt = 1 << 1
    public static let biometryCurrentSet: UInt = 1 << 3
    public static let devicePasscode: UInt = 1 << 4
    public static let companion: UInt = 1 << 5
    public static let or: UInt = 1 << 14
    public static let and: UInt = 1 << 15
    public static let privateKeyUsage: UInt = 1 << 30
    public static let applicationPassword: UInt = 1 << 31

    /// Makes a control.
    public init(flags: UInt = 0, protection: Protection) {
        self.flags = flags
        self.protection = protection
    }

    /// Whether every one of these bits is set.
    public func has(_ bits: UInt) -> Bool { flags & bits == bits }

    /// Whether somebody has to be there at all.
    public var hasConstraint: Bool {
        flags & (Self.userPresence | Self.biometryAny | Self.biometryCurrentSet | Self.devicePasscode) != 0
    }

    /// The combinations that `SecAccessControlCreateWithFlags` refuses with -50 [apple-src].
    public var isValid: Bool {
        if has(Self.or | Self.and) || has(Self.biometryAny | Self.biometryCurrentSet) { return false }
        if has(Self.userPresence) {
            return flags & ~(Self.userPresence | Self.privateKeyUsage | Self.applicationPassword) == 0
        }
        return true
    }

    /// How the system asks for it; nil when nobody is asked.
    ///
    /// Several constraints without a connective mean AND [apple-src].
    var means: Means? {
        let biometry = has(Self.biometryAny) || has(Self.biometryCurrentSet)
        let passcode = has(Self.devicePasscode)
        if has(Self.userPresence) { return .biometryOrPasscode }
        return switch (biometry, passcode) {
        case (true, true): has(Self.or) ? .biometryOrPasscode : .biometryAndPasscode
        case (true, false): .biometry
        case (false, true): .passcode
        case (false, false): nil
        }
    }

    /// Whether what was proved is enough; `binding` is what the item was bound to when it was made.
    func isSatisfied(by proof: Proof, bound binding: Binding) -> Bool {
        guard let means else { return true }
        let biometry = proof.enrolment.map { !has(Self.biometryCurrentSet) || $0 == binding.enrolment } ?? false
        return switch means {
        case .biometry: biometry
        case .passcode: proof.passcode
        case .biometryOrPasscode: biometry || proof.passcode
        case .biometryAndPasscode: biometry && proof.passcode
        }
    }
}

/// The ways in which the system asks who is there.
enum Means: Sendable {
    case biometry
    case passcode
    case biometryOrPasscode
    case biometryAndPasscode
}

/// The enrolled set that an item is bound to when it is made.
struct Binding: Hashable, Sendable {
    var enrolment: Int?
    var biometryResets: Int
}

/// What an evaluated context has proved.
struct Proof: Hashable, Sendable {
    /// The enrolled set at the time of the match.
    var enrolment: Int?
    var passcode = false
}
