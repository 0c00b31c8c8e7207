/// What the device's biometrics can do at this moment (F-107-01, B-01).
public struct BiometricCapability: Hashable, Sendable {
    /// The kind of sensor, in seed 002's terms; other platforms map face and fingerprint to them.
    @nonexhaustive
    public enum BiometryType: UInt8, Hashable, Sendable, CaseIterable {
        /// No sensor.
        case none = 0
        /// A fingerprint reader.
        case touchID = 1
        /// A face camera.
        case faceID = 2
    }

    /// Why biometrics can't be used now.
    @nonexhaustive
    public enum Reason: Hashable, Sendable, CaseIterable {
        /// The device has no sensor: options are hidden (C9).
        case noHardware
        /// No finger or face is enrolled.
        case notEnrolled
        /// Too many wrong fingers: the system requires its passcode first.
        case lockedOut
        /// The user denied this app the use of the sensor.
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

    /// The kind of sensor.
    public var biometryType: BiometryType
    /// Why it can't be used now; nil when it can.
    public var reasonIfUnavailable: Reason?
    /// What guards a secret behind this sensor.
    package var assurance: Assurance

    /// Creates a capability; without a reason the sensor can be used.
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

    /// Returns why biometrics may not be enabled under `policy`; nil when they may (C9, C14).
    package func obstacle(under policy: VaultPolicy) -> EnablingObstacle? {
        guard available else { return .unavailable(reasonIfUnavailable ?? .noHardware) }
        return assurance < policy.minimumAssurance ? .assuranceTooLow : nil
    }

    /// Why biometrics can't be enabled.
    @nonexhaustive
    public enum EnablingObstacle: Hashable, Sendable {
        /// The sensor can't be used now.
        case unavailable(Reason)
        /// The device's assurance is below what the policy requires.
        case assuranceTooLow
    }
}
