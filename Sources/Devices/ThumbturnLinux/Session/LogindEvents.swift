import ThumbturnDevice

/// What systemd-logind tells of this session and of the machine.
struct LogindEvents: Sendable {
    private let bus: BusConnection
    private let owner: UInt32
    private let limit: @Sendable () async -> Void

    /// Takes the bus on which logind is.
    ///
    /// - Parameters:
    ///   - owner: the user who runs logind; 0 but in tests.
    ///   - limit: returns when sleep was held up long enough. logind goes to sleep after five seconds whatever we do.
    init(
        bus: BusConnection,
        ownedBy owner: UInt32 = 0,
        limit: @escaping @Sendable () async -> Void = { try? await Task.sleep(nanoseconds: 3_000_000_000) }
    ) {
        (self.bus, self.owner, self.limit) = (bus, owner, limit)
    }

    /// What happens from now on; it ends at once without logind, and when it goes for good.
    ///
    /// Sleep, shutdown and the lock of the session are `.protectedDataLeaving`, what brings the user back is `.becameActive`.
    /// While it is listened to, sleep waits until the listener has taken in that it comes: until it asks for the next event.
    func stream() -> AsyncStream<DeviceEvent> {
        let watch = LogindWatch(bus: bus, owner: owner, limit: limit)
        return AsyncStream { await watch.next() }
    }
}
