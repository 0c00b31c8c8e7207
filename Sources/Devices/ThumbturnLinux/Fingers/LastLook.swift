import ThumbturnDevice
import ThumbturnRules

/// What the last look at the readers has shown: an item is described by that, and nobody is asked anew.
@safe final class LastLook: @unchecked Sendable {
    // Safe to share: `lock` guards both.
    private let lock = Lock()
    private var latest: (set: Result<[UInt8], DeviceRefusal>, until: BusDeadline)?
    private var silence: BusDeadline?
    private let now: @Sendable () -> UInt64

    /// - Parameter now: gives the time in microseconds.
    init(now: @escaping @Sendable () -> UInt64 = { BusDeadline.now }) { self.now = now }

    /// Who is enrolled, as `FprintPrompt.enrolledSet` digests it, or why that can't be said; nil where nobody has looked of late.
    ///
    /// An older look would end the key of a finger that was enrolled since.
    var set: Result<[UInt8], DeviceRefusal>? {
        get { lock.withLock { latest.flatMap { $0.until.isOver(at: now()) ? nil : $0.set } } }
        set { lock.withLock { latest = newValue.map { ($0, BusDeadline(after: Patience.freshLook, from: now())) } } }
    }

    /// Whether the bus was silent, and is not asked yet.
    var isSilent: Bool { lock.withLock { silence.map { !$0.isOver(at: now()) } ?? false } }

    /// The bus did not answer.
    func fallSilent() { lock.withLock { silence = BusDeadline(after: Patience.silentBus, from: now()) } }
}
