import ThumbturnDevice
import ThumbturnRules

/// One listener's subscription to logind, with its inhibitor lock that delays sleep.
actor LogindWatch {
    private let bus: BusConnection
    private let owner: UInt32
    private let limit: @Sendable () async -> Void

    private var post: Post?
    /// Delays sleep while it is open; closed with the last reference.
    private var inhibitor: BusDescriptor?
    private var letsSleep = false

    /// A subscription to a running logind.
    private struct Post {
        /// The unique name of logind.
        let service: String
        /// Our session; nil if the process has none, in which case every session's lock counts.
        let session: String?
        let signals: AsyncStream<BusSignal>
        let ear: BusEar
    }

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"

    init(bus: BusConnection, owner: UInt32, limit: @escaping @Sendable () async -> Void) {
        (self.bus, self.owner, self.limit) = (bus, owner, limit)
    }

    deinit {
        guard let ear = post?.ear else { return }
        Task { [bus] in await bus.close(ear) }
    }

    /// Whether a trusted logind is there to report events.
    static func isThere(on bus: BusConnection, ownedBy owner: UInt32) async -> Bool {
        (try? await bus.pin(manager(name, "ListSessions", patience: Patience.bus), ownedBy: owner)) != nil
    }

    /// Returns the next event; nil when logind is gone.
    func next() async -> DeviceEvent? {
        // By asking for the next event, the caller says that it has handled the last one.
        if letsSleep { inhibitor = nil }
        if post == nil { post = try? await listen() }
        guard let post else { return nil }
        for await signal in post.signals {
            guard let event = event(of: signal, in: post) else { continue }
            if signal.member == "PrepareForSleep" {
                letsSleep = event == .protectedDataLeaving
                if letsSleep {
                    Task { await releaseInTime() }
                } else {
                    inhibitor = try? await inhibit(at: post.service).held
                }
            }
            return event
        }
        self.post = nil
        inhibitor = nil
        if Task.isCancelled { return nil }
        // The session may have been locked while we were not subscribed.
        return .protectedDataLeaving
    }

    private func releaseInTime() async {
        await limit()
        if letsSleep { inhibitor = nil }
    }

    private func listen() async throws(BusFailure) -> Post {
        let session: String?
        let service: String
        do throws(BusFailure) {
            let reply = try await bus.pin(Self.manager(Self.name, "GetSession", "auto"), ownedBy: owner)
            (session, service) = (reply.text, reply.sender)
        } catch .refused {
            // The process has no session, or there is no logind, which the next call shows.
            (session, service) = (
                nil, try await bus.pin(Self.manager(Self.name, "ListSessions"), ownedBy: owner).sender
            )
        }
        let (signals, say) = AsyncStream.makeStream(of: BusSignal.self)
        let (reply, ear) = try await bus.listen(
            to: service,
            from: Self.inhibition(at: service),
            rules: [
                "path='\(Self.path)',interface='\(Self.name).Manager'", "interface='\(Self.name).Session'",
                "interface='org.freedesktop.DBus.Properties',arg0='\(Self.name).Session'",
            ]
        ) { signal in
            if let signal { say.yield(signal) } else { say.finish() }
        }
        inhibitor = reply.held
        letsSleep = false
        return Post(service: service, session: session, signals: signals, ear: ear)
    }

    private func inhibit(at service: String) async throws(BusFailure) -> BusReply {
        try await bus.call(Self.inhibition(at: service))
    }

    private static func inhibition(at service: String) -> BusCall {
        manager(service, "Inhibit", "sleep", "Thumbturn", "Locking the vault", "delay")
    }

    private static func manager(
        _ destination: String,
        _ member: String,
        _ arguments: String...,
        patience: Milliseconds = Patience.followingSession
    ) -> BusCall {
        BusCall(
            destination: destination,
            path: path,
            interface: name + ".Manager",
            member: member,
            arguments: arguments,
            deadline: BusDeadline(after: patience)
        )
    }

    /// The meaning of a signal; nil if it concerns another session, or nothing relevant.
    private func event(of signal: BusSignal, in post: Post) -> DeviceEvent? {
        switch (signal.interface, signal.member) {
        case (Self.name + ".Manager", "PrepareForSleep"), (Self.name + ".Manager", "PrepareForShutdown"):
            guard signal.path == Self.path, let begins = signal.values.first?.bool else { return nil }
            return begins ? .protectedDataLeaving : .becameActive
        case (Self.name + ".Session", "Lock"):
            return concerns(signal, post) ? .protectedDataLeaving : nil
        case (Self.name + ".Session", "Unlock"):
            return concerns(signal, post) ? .becameActive : nil
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
            guard concerns(signal, post), signal.values.count == 3, signal.values[0].text == Self.name + ".Session",
                let changes = signal.values[1].list
            else { return nil }
            return Self.event(of: changes)
        default:
            return nil
        }
    }

    /// The meaning of changed session properties.
    private static func event(of changes: [BusValue]) -> DeviceEvent? {
        func value(_ name: String) -> Bool? {
            changes.first { $0.list?.first?.text == name }?.list?.last?.list?.first?.bool
        }
        // Desktops that lock by themselves don't wait for `Lock`, and report it here; so does a switch to another user.
        let (isLocked, isActive) = (value("LockedHint"), value("Active"))
        if isLocked == true || isActive == false { return .protectedDataLeaving }
        return isLocked == false || isActive == true ? .becameActive : nil
    }

    private func concerns(_ signal: BusSignal, _ post: Post) -> Bool {
        post.session == nil || signal.path == post.session
    }
}

extension BusReply {
    /// The descriptor in this reply.
    fileprivate var held: BusDescriptor? {
        if case .descriptor(let descriptor)? = values.first { descriptor } else { nil }
    }
}
