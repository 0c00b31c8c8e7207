import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A device that exists in memory or in a folder, and refuses as a real one does.
///
/// It protects nothing, and its assurance says so. What it is good for is everything a real device will not do on
/// command: fail at a chosen call, enrol a finger, be restored elsewhere. A new one has a fingerprint reader, one enrolled
/// finger and a passcode, and is unlocked; what happens to it next is told by `simulate(_:)`. Its prompts end by the
/// touches that were simulated before, first in, first out.
///
/// A lock guards each call, so that an instance may be shared by tasks; in a folder, processes may share the device too.
public final class SimulatedDevice: @unchecked Sendable {
    // Safe to share: `lock` guards `state` and `script`, and nothing else changes.
    private let lock = Lock()
    private let folder: SimulatedFolder?
    private var state: SimulatedState
    private var script: (@Sendable (SimulatedCall) throws -> Interception)?

    /// Makes a new device in memory, where time stands still until it is advanced.
    public init() {
        folder = nil
        state = SimulatedState()
    }

    /// Opens the device that lies in `folder`, or makes a new one there; its clocks run with the real ones.
    ///
    /// The folder's parent exists, and the folder holds nothing else.
    ///
    /// A damaged state stays until something is stored: what it held is `damaged`, and never absent.
    ///
    /// - Throws: `.unavailable` when the folder can't be used, its state is a later version's, or another process keeps the
    ///   folder for 10 s.
    public convenience init(folder path: String) throws(DeviceRefusal) {
        try self.init(folder: path, patience: .seconds(10))
    }

    /// The same, for a test that does not wait as long for another process.
    package init(folder path: String, patience: Milliseconds) throws(DeviceRefusal) {
        let folder = try SimulatedFolder(creating: path, patience: patience)
        self.folder = folder
        state = try folder.withLock { () throws(DeviceRefusal) in
            if let stored = try folder.load() { return stored.state }
            let new = SimulatedState()
            try folder.store(new, after: nil)
            return new
        }
    }

    /// The device as a vault sees it.
    public var device: Device {
        Device(
            kind: .simulated,
            store: self,
            prompt: self,
            anchor: self,
            clock: { self.now() },
            installation: { () async throws(DeviceRefusal) in
                try self.call(.installation) { state throws(DeviceRefusal) in
                    guard !state.take(.installationFails) else { throw .unavailable }
                    return state.installation
                }
            }
        )
    }

    /// Lets something happen to the device.
    ///
    /// - Throws: `.unavailable` when the folder can't be written.
    public func simulate(_ event: SimulatedEvent) throws(DeviceRefusal) {
        let host = host
        try transaction { state in state.apply(event, at: host) }
    }

    /// Runs before each call but the clock's, outside the lock; it may fail the call, or let it fail after its effect.
    package var interceptor: (@Sendable (SimulatedCall) throws -> Interception)? {
        get { lock.withLock { script } }
        set { lock.withLock { script = newValue } }
    }

    /// Whether a device lies in `folder` whose state is damaged; nothing is made or changed.
    package static func isDamaged(in folder: String) -> Bool {
        guard let lying = SimulatedFolder(lookingAt: folder) else { return false }
        return (try? lying.load())?.isDamaged ?? false
    }

    /// What this instance was asked to do so far.
    package var counts: SimulatedCounts { lock.withLock { state.counts } }

    /// How many prompts a user would have seen.
    package var promptsShown: Int { counts.prompts }

    private init(state: SimulatedState) {
        folder = nil
        self.state = state
    }

    /// Makes a second device in memory in the state of this one, without its interceptor.
    ///
    /// The clocks of a device in memory go on where this one's stand; those of a device in a folder do not.
    package func clone() -> SimulatedDevice { SimulatedDevice(state: lock.withLock { state }) }

    /// All that a device in memory is, but for what it counts and for its interceptor: equal bytes are equal devices.
    package func encoded() throws(DeviceRefusal) -> [UInt8] { try Self.encode(lock.withLock { state }) }

    /// The names of everything the store holds, device secrets too, in order.
    package func itemNames() throws(DeviceRefusal) -> [String] { try transaction { $0.items.keys.sorted() } }

    /// The names of the device secrets that have a counter, in order.
    package func anchorNames() throws(DeviceRefusal) -> [String] { try transaction { $0.anchors.keys.sorted() } }
}

extension SimulatedDevice {
    /// Asks the script, then acts.
    func call<R>(
        _ call: SimulatedCall,
        _ body: (inout SimulatedState) throws(DeviceRefusal) -> R
    ) throws(DeviceRefusal) -> R {
        let interception = try interception(of: call)
        let result = try transaction(body)
        switch interception {
        case .proceed: return result
        case .failAfterEffect(let refusal): throw refusal
        }
    }

    /// What the script says of a call.
    ///
    /// Its closure throws untyped, since storing a typed one needs iOS 18.
    func interception(of call: SimulatedCall) throws(DeviceRefusal) -> Interception {
        do {
            return try interceptor?(call) ?? .proceed
        } catch {
            throw error as? DeviceRefusal ?? .unclassified
        }
    }

    /// The type of sensor that was last known, for when nothing can be read.
    var lastKnownBiometryType: BiometricCapability.BiometryType { lock.withLock { state.biometryType } }

    /// Waits for the end of the current task.
    static func untilCancelled() async {
        while !Task.isCancelled {
            try? await Task.sleep(nanoseconds: 3_600_000_000_000)
        }
    }

    private var host: HostClocks { folder == nil ? .still : .now() }

    /// A folder that can't be read leaves the clocks as they were last known: time goes on.
    private func now() -> ClockReading {
        let host = host
        do {
            // Read without the lock, since the state is replaced whole: a clock must not wait for another process.
            guard let folder else { return lock.withLock { state.clock.reading(at: host) } }
            guard let stored = try folder.load(), !stored.isDamaged else { throw DeviceRefusal.unavailable }
            return stored.state.clock.reading(at: host)
        } catch {
            return lock.withLock { state.clock.reading(at: host) }
        }
    }

    /// Runs `body` alone on the state and keeps what it changed, also when it throws.
    private func transaction<R>(
        _ body: (inout SimulatedState) throws(DeviceRefusal) -> R
    ) throws(DeviceRefusal) -> R {
        try lock.withLock { () throws(DeviceRefusal) in
            guard let folder else { return try body(&state) }
            return try folder.withLock { () throws(DeviceRefusal) in
                guard let stored = try folder.load() else { throw .unavailable }
                var current = stored.state
                current.counts = state.counts
                let result = Result { () throws(DeviceRefusal) in try body(&current) }
                if try Self.encode(current) != Self.encode(stored.state) { try folder.store(current, after: stored) }
                state = current
                return try result.get()
            }
        }
    }

    private static func encode(_ state: SimulatedState) throws(DeviceRefusal) -> [UInt8] {
        do { return try state.encoded() } catch { throw .unavailable }
    }
}
