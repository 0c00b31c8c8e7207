import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// A simulated device as a value: its items, enrolled fingers, and pending touches and faults.
///
/// All rules of refusal are in its methods, which keep their changes even when they throw, as a device does: a failed
/// touch is used up. `SimulatedDevice` guards the value and stores it.
struct SimulatedState: Sendable {
    var installation = Identifier.make()
    var clock = SimulatedClock(bootID: .make())
    var sensor = SimulatedSensor.touch
    var isPermissionGranted = true
    var hasPasscode = true
    var isDeviceLocked = false
    /// Whether the owner has left the app.
    var isAppInBackground = false
    /// One name for each finger; a new device has one.
    var fingers = [Identifier.make()]
    var isLockedOut = false
    /// Counted across prompts; a match resets the count, the fifth mismatch locks the sensor.
    var mismatchesInARow = 0
    /// The touches of the next prompts.
    var touches: [SimulatedTouch] = []
    /// The pending faults; each happens once.
    var faults: [SimulatedFault] = []
    var items: [String: Item] = [:]
    /// Rows that were invalidated and deleted: the store's own memory, which belongs to the app's container.
    var revokedNames: Set<String> = []
    var anchors: [String: LedgerPosition] = [:]
    /// Whether the earlier state is damaged: then an item missing from this one is not known to be absent.
    var isBesideDamage = false
    /// The names deleted since: only these are absent.
    var deletedNames: Set<String> = []
    /// Not stored: each `SimulatedDevice` counts its own.
    var counts = SimulatedCounts()
    /// Not stored: whether a prompt without a queued touch stays up for the next.
    var promptsWait = false

    static let mismatchLimit = 5

    /// A row of the store.
    struct Item: Sendable {
        enum Kind: UInt8 { case readable = 0, deviceSecret = 1, deviceKey = 2 }

        var kind: Kind
        var access: AccessControl
        var staysOnDevice = true
        /// The enrolled set at the time of saving, for an item that ends with it.
        var enrolledSet: [UInt8]?
        /// Copies of the state share it; a secret is copied only to be returned.
        let secret: HeldSecret
    }

    /// Returns this state with what is not stored of another.
    func inProcess(of other: SimulatedState) -> SimulatedState {
        var state = self
        (state.counts, state.promptsWait) = (other.counts, other.promptsWait)
        return state
    }

    /// Returns the error for an item that is not in this state.
    func missing(_ name: ItemName) -> DeviceRefusal {
        if revokedNames.contains(name.text) { return .revoked }
        return mayHaveHeld(name) ? .damaged : .absent
    }

    /// Whether the damaged state may have contained this name.
    func mayHaveHeld(_ name: ItemName) -> Bool {
        isBesideDamage && items[name.text] == nil && !deletedNames.contains(name.text)
    }

    /// The digest of the enrolled fingers.
    var enrolledSet: [UInt8] {
        SHA256.digest(Array("thumbturn/simulated-enrolled-set/v1".utf8), fingers.flatMap(\.bytes))
    }

    func isRevoked(_ item: Item) -> Bool {
        guard let enrolledSet = item.enrolledSet else { return false }
        return enrolledSet != self.enrolledSet
    }

    /// Removes a pending fault; returns whether there was one.
    mutating func take(_ fault: SimulatedFault) -> Bool {
        guard let index = faults.firstIndex(of: fault) else { return false }
        faults.remove(at: index)
        return true
    }

    /// Throws `unavailable` while protected data can't be read.
    ///
    /// The platform would report "not found" for any row; treating that as absence would create a new key (A25).
    mutating func requireProtectedData() throws(DeviceRefusal) {
        guard !isDeviceLocked, !take(.prewarm) else { throw .unavailable }
    }
}

extension SecretBytes {
    /// Copies a simulation's secret from an unwiped array: the state's file exposes it as well.
    init(exposed bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}
