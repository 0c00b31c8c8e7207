import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// A simulated device as a value: what it holds, who is enrolled, and what comes next.
///
/// Every rule of refusal lives in its methods, which keep what they changed even when they throw, as a device does: a
/// finger that failed has been used up. `SimulatedDevice` guards the value and makes it last.
struct SimulatedState: Sendable {
    var installation = Identifier.make()
    var clock = SimulatedClock(bootID: .make())
    var sensor = SimulatedSensor.touch
    var isPermissionGranted = true
    var hasPasscode = true
    var isDeviceLocked = false
    /// One name for each finger; a device starts with one.
    var fingers = [Identifier.make()]
    var isLockedOut = false
    /// Across prompts; a match forgives them, the fifth locks out.
    var mismatchesInARow = 0
    /// How the prompts to come will end.
    var touches: [SimulatedTouch] = []
    /// What will go wrong, each once.
    var faults: [SimulatedFault] = []
    var items: [String: Item] = [:]
    /// Rows that were invalidated and dropped: the store's own memory, which lies with the app.
    var revokedNames: Set<String> = []
    var anchors: [String: LedgerPosition] = [:]
    /// Whether what was stored before is damaged: of what this state does not name, nobody can say that it is absent.
    var isBesideDamage = false
    /// What was deleted since, by name: that alone is absent.
    var deletedNames: Set<String> = []
    /// Not stored: each `SimulatedDevice` counts for itself.
    var counts = SimulatedCounts()

    static let mismatchLimit = 5

    /// A row of the store.
    struct Item: Sendable {
        enum Kind: UInt8 { case readable = 0, deviceSecret = 1, deviceKey = 2 }

        var kind: Kind
        var access: AccessControl
        var staysOnDevice = true
        /// The set that was enrolled at the save, for an item that ends with it.
        var enrolledSet: [UInt8]?
        /// Copies of the state share it, so that nothing but an answer is ever copied.
        let secret: HeldSecret
    }

    /// Says what is known of an item that this state does not name.
    func missing(_ name: ItemName) -> DeviceRefusal {
        if revokedNames.contains(name.text) { return .revoked }
        return mayHaveHeld(name) ? .damaged : .absent
    }

    /// Whether what is damaged may have held something of this name.
    func mayHaveHeld(_ name: ItemName) -> Bool {
        isBesideDamage && items[name.text] == nil && !deletedNames.contains(name.text)
    }

    /// The digest of who is enrolled.
    var enrolledSet: [UInt8] {
        SHA256.digest(Array("thumbturn/simulated-enrolled-set/v1".utf8), fingers.flatMap(\.bytes))
    }

    func isRevoked(_ item: Item) -> Bool {
        guard let enrolledSet = item.enrolledSet else { return false }
        return enrolledSet != self.enrolledSet
    }

    /// Takes a fault out of what is to come, and says whether it was there.
    mutating func take(_ fault: SimulatedFault) -> Bool {
        guard let index = faults.firstIndex(of: fault) else { return false }
        faults.remove(at: index)
        return true
    }

    /// Says `unavailable` while protected data can't be read.
    ///
    /// The platform would answer "not found" for any row then; taken for absence, that would mint a new key (A25).
    mutating func requireProtectedData() throws(DeviceRefusal) {
        guard !isDeviceLocked, !take(.prewarm) else { throw .unavailable }
    }
}

extension SecretBytes {
    /// Copies a simulation's secret out of an array, which is not wiped: what it exposes, the state's file does too.
    init(exposed bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}
