/// What the device's biometrics can do at this moment (F-107-01, B-01).
public struct BiometricCapability: Hashable, Sendable {
    /// What the sensor reads, in the words of seed 002; other platforms map face and fingerprint to them.
    @nonexhaustive
    public enum BiometryType: UInt8, Hashable, Sendable, CaseIterable {
        /// No sensor.
        case none = 0
        /// A fingerprint reader.
        case touchID = 1
        /// A face camera.
        case faceID = 2

        /// The name as it appears in JSON.
        package var name: String {
            switch self {
            case .none: "NONE"
            case .touchID: "TOUCH_ID"
            case .faceID: "FACE_ID"
            }
        }
    }

    /// Why biometrics can't be used now.
    @nonexhaustive
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// The device has no sensor: options are hidden (C9).
        case noHardware
        /// Nobody is enrolled.
        case notEnrolled
        /// Too many wrong fingers: the system wants its passcode first.
        case lockedOut
        /// The user refused this app the sensor.
        case permissionDenied
        /// The device has no passcode, which biometrics need.
        case noPasscode
        /// The sensor is busy, or the service behind it doesn't answer.
        case temporarilyUnavailable

        /// The name as it appears in JSON.
        package var name: String {
            switch self {
            case .noHardware: "noHardware"
            case .notEnrolled: "notEnrolled"
            case .lockedOut: "lockedOut"
            case .permissionDenied: "permissionDenied"
            case .noPasscode: "noPasscode"
            case .temporarilyUnavailable: "temporarilyUnavailable"
            }
        }
    }

    /// What the sensor reads.
    public var biometryType: BiometryType
    /// Why it can't be used now; nil when it can.
    public var reasonIfUnavailable: Reason?
    /// What guards a secret behind this sensor.
    package var assurance: Assurance

    /// Makes a capability; without a reason the sensor can be used.
    public init(biometryType: BiometryType, reasonIfUnavailable: Reason? = nil, assurance: Assurance) {
        self.biometryType = biometryType
        self.reasonIfUnavailable = reasonIfUnavailable
        self.assurance = assurance
    }

    /// Whether a prompt could succeed now.
    public var available: Bool { supported && reasonIfUnavailable == nil }

    /// Whether the device has a sensor at all; where it has none, options are hidden (B-09, C9).
    public var supported: Bool { biometryType != .none && reasonIfUnavailable != .noHardware }

    /// Whether at least one finger or face is enrolled.
    public var enrolled: Bool {
        switch reasonIfUnavailable {
        case nil, .lockedOut, .permissionDenied, .temporarilyUnavailable: supported
        case .noHardware, .notEnrolled, .noPasscode: false
        }
    }

    /// Whether biometrics may be enabled under `policy`; nil when they may, else why not (C9, C14).
    package func obstacle(under policy: VaultPolicy) -> EnablingObstacle? {
        guard available else { return .unavailable(reasonIfUnavailable ?? .noHardware) }
        return assurance < policy.minimumAssurance ? .assuranceTooLow : nil
    }

    /// Why biometrics can't be enabled.
    @nonexhaustive
    public enum EnablingObstacle: Hashable, Sendable {
        /// The sensor can't be used now.
        case unavailable(Reason)
        /// The device protects less than the policy asks for.
        case assuranceTooLow
    }
}
