import ThumbturnDevice

/// What systemd-logind reports about this session and the machine.
struct LogindEvents: Sendable {
    private let bus: BusConnection
    private let owner: UInt32
    private let limit: @Sendable () async -> Void

    /// Creates an event source on a bus.
    ///
    /// - Parameters:
    ///   - owner: the user id that logind runs as; 0 except in tests.
    ///   - limit: returns when sleep was delayed long enough. logind goes to sleep after five seconds in any case.
    init(
        bus: BusConnection,
        ownedBy owner: UInt32 = 0,
        limit: @escaping @Sendable () async -> Void = { try? await Task.sleep(nanoseconds: 3_000_000_000) }
    ) {
        (self.bus, self.owner, self.limit) = (bus, owner, limit)
    }

    /// Returns the events from now on; the stream ends at once without logind, and when logind is gone for good.
    ///
    /// Sleep, shutdown and a session lock are `.protectedDataLeaving`; the user's return is `.becameActive`. While the
    /// stream is read, sleep is delayed until its reader has handled the event, which it shows by asking for the next
    /// one.
    func stream() -> AsyncStream<DeviceEvent> {
        let watch = LogindWatch(bus: bus, owner: owner, limit: limit)
        return AsyncStream { await watch.next() }
    }
}
