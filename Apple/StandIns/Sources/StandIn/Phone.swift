import Foundation

/// A simulated iPhone or Mac: who is enrolled, what is locked, what lies in the keychain, what the owner answers.
///
/// The modules named like Apple's frameworks all look at `Phone.current`. A test makes a phone, and says what happens to
/// it; tests of one process must therefore run one after the other.
///
/// Each behaviour carries the mark of its evidence: [apple-src] read in Apple's published Security source, [doc] in
/// Apple's documentation, [field] reported by users, [inf] inferred, to be verified on a device.
public final class Phone: @unchecked Sendable {
    // Safe to share: `state` is only touched while `condition` is held.
    let condition = NSCondition()
    private var state: PhoneState

    private static let register = NSLock()
    // Safe: only touched while `register` is held.
    private nonisolated(unsafe) static var registered = Phone(PhoneSetup())

    /// The phone that the stand-in frameworks look at.
    public static var current: Phone {
        get { register.withLock { unsafe registered } }
        set { register.withLock { unsafe registered = newValue } }
    }

    /// Makes a phone, unlocked, with its app in the foreground.
    public init(_ setup: PhoneSetup) {
        state = PhoneState(setup)
    }

    /// Makes a phone and puts it in the place of the current one.
    @discardableResult
    public static func start(_ setup: PhoneSetup = PhoneSetup()) -> Phone {
        let phone = Phone(setup)
        current = phone
        return phone
    }

    /// Looks at or changes the state, alone; it must not come back here.
    func withState<Result>(_ body: (inout PhoneState) throws -> Result) rethrows -> Result {
        condition.lock()
        defer { condition.unlock() }
        return try body(&state)
    }

    /// Waits until something changes; only within `withState`'s lock.
    func waitForChange() { condition.wait() }

    /// Reads and writes the state while the caller holds `condition` itself, as a prompt does that waits.
    var heldState: PhoneState {
        get { state }
        set { state = newValue }
    }
}

/// What a phone is when it is made.
public struct PhoneSetup: Sendable {
    /// Which system runs the app.
    public enum Kind: Sendable {
        /// An iPhone.
        case phone
        /// A Mac: two keychains, no passcode of its own.
        case mac
        /// The iOS simulator: access control is not enforced.
        case simulator
    }

    /// The sensor; the raw values are those of `LABiometryType`.
    public enum Sensor: Int, Sendable {
        /// No sensor at all.
        case none = 0
        /// A fingerprint sensor.
        case touchID = 1
        /// A camera for faces.
        case faceID = 2
        /// A camera for irises.
        case opticID = 4
    }

    /// Which system runs the app.
    public var kind: Kind
    /// The sensor.
    public var sensor: Sensor
    /// Whether somebody is enrolled.
    public var enrolled: Bool
    /// Whether the device has a passcode.
    public var passcodeSet: Bool
    /// Whether there is a Secure Enclave.
    public var hasEnclave: Bool
    /// The keychain access groups of the app's entitlement; the first is the default.
    ///
    /// None means an unsigned app.
    public var accessGroups: [String]
    /// `NSFaceIDUsageDescription` of the app.
    public var faceIDUsage: String?

    /// Describes a phone; the defaults are one on which everything works.
    public init(
        kind: Kind = .phone,
        sensor: Sensor = .faceID,
        enrolled: Bool = true,
        passcodeSet: Bool = true,
        hasEnclave: Bool = true,
        accessGroups: [String] = ["TEAM.app", "TEAM.shared"],
        faceIDUsage: String? = "Opens the vault"
    ) {
        self.kind = kind
        self.sensor = sensor
        self.enrolled = enrolled
        self.passcodeSet = passcodeSet
        self.hasEnclave = hasEnclave
        self.accessGroups = accessGroups
        self.faceIDUsage = faceIDUsage
    }
}
