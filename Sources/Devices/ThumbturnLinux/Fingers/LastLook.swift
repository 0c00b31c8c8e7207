import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The result of the last look at the readers, by which items are described without asking again.
@safe final class LastLook: @unchecked Sendable {
    // Safe to share: `lock` guards both.
    private let lock = Lock()
    private var latest: (set: Result<[UInt8], DeviceRefusal>, until: BusDeadline)?
    private var silence: BusDeadline?
    private let now: @Sendable () -> UInt64

    /// - Parameter now: returns the time in microseconds.
    init(now: @escaping @Sendable () -> UInt64 = { BusDeadline.now }) { self.now = now }

    /// The enrolled set, as `FprintPrompt.enrolledSet` digests it, or why it is unknown; nil without a recent look.
    ///
    /// An older look could end the key of a finger that was enrolled since.
    var set: Result<[UInt8], DeviceRefusal>? {
        get { lock.withLock { latest.flatMap { $0.until.isOver(at: now()) ? nil : $0.set } } }
        set { lock.withLock { latest = newValue.map { ($0, BusDeadline(after: Patience.freshLook, from: now())) } } }
    }

    /// Whether the bus was silent, and should not be asked yet.
    var isSilent: Bool { lock.withLock { silence.map { !$0.isOver(at: now()) } ?? false } }

    /// Records that the bus did not answer.
    func fallSilent() { lock.withLock { silence = BusDeadline(after: Patience.silentBus, from: now()) } }
}
