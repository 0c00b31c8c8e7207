import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

/// A device in memory or in a folder that refuses as a real one does.
///
/// It protects nothing, and its assurance says so. It can do what a real device won't do on command: fail at a chosen
/// call, enrol a finger, be restored elsewhere. A new one has a fingerprint reader, one enrolled finger and a passcode,
/// and is unlocked; `simulate(_:)` changes that. Its prompts end with the touches simulated before, first in, first
/// out; with `promptsWait`, one without a touch stays up for the next. `snapshots()` shows it to a screen.
///
/// A lock guards each call, so tasks may share an instance; processes may share a device in a folder.
public final class SimulatedDevice: @unchecked Sendable {
    // Safe to share: `lock` guards the variables.
    let lock = Lock()
    let folder: SimulatedFolder?
    private let clockRuns: Bool
    var state: SimulatedState
    /// The prompts that wait for a touch, in the order in which they came up.
    var prompts: [(number: UInt64, prompt: SimulatedPrompt)] = []
    var lastPrompt: UInt64 = 0
    let audience = Audience()
    private var limit: Milliseconds?
    private var script: (@Sendable (SimulatedCall) throws -> Interception)?

    /// Creates a new device in memory.
    ///
    /// - Parameter clockRuns: whether its clocks follow the real ones; otherwise time advances by events alone.
    public init(clockRuns: Bool = false) {
        folder = nil
        self.clockRuns = clockRuns
        state = SimulatedState()
    }

    /// Opens the device in `folder`, or creates a new one there; its clocks follow the real ones.
    ///
    /// The folder's parent must exist, and the folder must contain nothing else.
    ///
    /// A damaged state stays until something is stored: its items are `damaged`, never absent.
    ///
    /// - Throws: `.unavailable` when the folder can't be used, its state is of a later version, or another process
    ///   holds the folder for 10 s.
    public convenience init(folder path: String) throws(DeviceRefusal) {
        try self.init(folder: path, patience: .seconds(10))
    }

    /// Does the same, for a test that does not wait as long for another process.
    package init(folder path: String, patience: Milliseconds) throws(DeviceRefusal) {
        let folder = try SimulatedFolder(creating: path, patience: patience)
        self.folder = folder
        clockRuns = true
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
            },
            events: { self.events() }
        )
    }

    /// Whether a prompt that no queued touch ends stays up for the next touch; otherwise the system takes it away.
    ///
    /// It is a property of this object, not of the device in a folder. A prompt ends when the device is locked or
    /// restarted, the app leaves the foreground, or biometrics can't be used any more.
    public var promptsWait: Bool {
        get { lock.withLock { state.promptsWait } }
        set { lock.withLock { state.promptsWait = newValue } }
    }

    /// How long a prompt may wait for a touch; nil for ever.
    package var promptLimit: Milliseconds? {
        get { lock.withLock { limit } }
        set { lock.withLock { limit = newValue } }
    }

    /// Applies an event to the device.
    ///
    /// - Throws: `.unavailable` when the folder can't be written.
    public func simulate(_ event: SimulatedEvent) throws(DeviceRefusal) {
        let host = host
        try transaction { state in state.apply(event, at: host) }
    }

    /// Runs before each call except the clock's, outside the lock; may fail the call before or after its effect.
    package var interceptor: (@Sendable (SimulatedCall) throws -> Interception)? {
        get { lock.withLock { script } }
        set { lock.withLock { script = newValue } }
    }

    /// Whether `folder` contains a device whose state is damaged; creates and changes nothing.
    package static func isDamaged(in folder: String) -> Bool {
        guard let lying = SimulatedFolder(lookingAt: folder) else { return false }
        return (try? lying.load())?.isDamaged ?? false
    }

    /// How often this instance was called so far.
    package var counts: SimulatedCounts { lock.withLock { state.counts } }

    /// The number of prompts that a user would have seen.
    package var promptsShown: Int { counts.prompts }

    private init(state: SimulatedState, clockRuns: Bool) {
        folder = nil
        self.clockRuns = clockRuns
        self.state = state
    }

    /// Creates a second device in memory with this one's state, without its interceptor.
    ///
    /// The clocks of a device in memory continue; those of a device in a folder do not.
    package func clone() -> SimulatedDevice {
        SimulatedDevice(state: lock.withLock { state }, clockRuns: folder == nil && clockRuns)
    }

    /// Encodes the state of a device in memory, except its counts and interceptor: equal bytes mean equal devices.
    package func encoded() throws(DeviceRefusal) -> [UInt8] { try Self.encode(lock.withLock { state }) }

    /// Returns the names of everything in the store, including device secrets, sorted.
    package func itemNames() throws(DeviceRefusal) -> [String] { try transaction { $0.items.keys.sorted() } }

    /// Returns the names of the device secrets that have an anchor, sorted.
    package func anchorNames() throws(DeviceRefusal) -> [String] { try transaction { $0.anchors.keys.sorted() } }
}

extension SimulatedDevice {
    /// Asks the script, then runs the call.
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

    /// Asks the script about a call.
    ///
    /// The script's closure throws untyped, since storing a typed one needs iOS 18.
    func interception(of call: SimulatedCall) throws(DeviceRefusal) -> Interception {
        do {
            return try interceptor?(call) ?? .proceed
        } catch {
            throw error as? DeviceRefusal ?? .unclassified
        }
    }

    /// The last known type of sensor, for when nothing can be read.
    var lastKnownBiometryType: BiometricCapability.BiometryType { lock.withLock { state.biometryType } }

    var host: HostClocks { clockRuns ? .now() : .still }

    /// Tells those who follow the device what changed; under the lock.
    func tell() {
        guard audience.isThere else { return }
        let prompt = prompts.first?.prompt
        audience.tell(state.snapshot(prompt, at: .still), shown: state.snapshot(prompt, at: host))
    }

    /// Reads the clocks; if the folder can't be read, continues from their last known offsets.
    private func now() -> ClockReading {
        let host = host
        do {
            // Read without the lock, since the state file is replaced as a whole: a clock must not wait for another
            // process.
            guard let folder else { return lock.withLock { state.clock.reading(at: host) } }
            guard let stored = try folder.load(), !stored.isDamaged else { throw DeviceRefusal.unavailable }
            return stored.state.clock.reading(at: host)
        } catch {
            return lock.withLock { state.clock.reading(at: host) }
        }
    }

    /// Runs `body` alone on the state and stores its changes, even when it throws.
    func transaction<R>(_ body: (inout SimulatedState) throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        try lock.withLock { () throws(DeviceRefusal) in
            defer { tell() }
            guard let folder else { return try body(&state) }
            return try folder.withLock { () throws(DeviceRefusal) in
                guard let stored = try folder.load() else { throw .unavailable }
                var current = stored.state.inProcess(of: state)
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
