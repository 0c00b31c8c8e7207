import Testing
import ThumbturnDevice

@testable import ThumbturnLinux

extension OnTheStack {
    struct LogindEventsTests {
        private let bus = BusConnection(address: TestStack.address)
        private static let (name, path) = ("org.freedesktop.login1", "/org/freedesktop/login1")
        private static let forever: @Sendable () async -> Void = { try? await Task.sleep(nanoseconds: 600_000_000_000) }

        init() throws { try TestStack.run("up") }

        /// A listener that has begun to listen, as its inhibitor shows.
        private func begin(
            limit: @escaping @Sendable () async -> Void = LogindEventsTests.forever
        ) async throws -> Heard {
            let heard = Heard(
                LogindEvents(
                    bus: BusConnection(address: TestStack.address),
                    ownedBy: TestStack.owner,
                    limit: limit
                ).stream()
            )
            await heard.ask()
            try await TestStack.eventually { try await TestStack.inhibitors() > 0 }
            return heard
        }

        private func say(_ member: String, _ value: Bool) throws {
            try TestStack.call(
                Self.name,
                Self.path,
                "org.freedesktop.DBus.Mock.EmitSignal",
                Self.name + ".Manager",
                member,
                "b",
                "[<\(value)>]"
            )
        }

        private func session(_ name: String, _ method: String, _ values: String...) throws {
            let path = Self.path + "/session/" + name
            switch values.first {
            case let value?: try TestStack.call(Self.name, path, Self.name + ".Session." + method, value)
            case nil: try TestStack.call(Self.name, path, Self.name + ".Session." + method)
            }
        }

        private func active(_ name: String, _ isActive: Bool) throws {
            try TestStack.call(
                Self.name,
                Self.path + "/session/" + name,
                "org.freedesktop.DBus.Mock.UpdateProperties",
                Self.name + ".Session",
                "{'Active': <\(isActive)>}"
            )
        }

        @Test func `the lock of the session locks, whoever locks it, and another session's does not`() async throws {
            let heard = try await begin()
            try session("c2", "Lock")
            try session("c2", "SetLockedHint", "true")
            try session("c1", "Lock")
            #expect(await heard.next() == .protectedDataLeaving)
            try session("c2", "Unlock")
            try session("c1", "SetLockedHint", "true")
            #expect(await heard.next() == .protectedDataLeaving)
            try session("c1", "SetLockedHint", "false")
            #expect(await heard.next() == .becameActive)
            try session("c1", "Lock")
            #expect(await heard.next() == .protectedDataLeaving)
            try session("c1", "Unlock")
            #expect(await heard.next() == .becameActive)
        }

        @Test func `another user's turn locks, and another session's end of turn does not`() async throws {
            let heard = try await begin()
            try active("c2", false)
            try active("c1", false)
            #expect(await heard.next() == .protectedDataLeaving)
            try active("c2", false)
            try active("c1", true)
            #expect(await heard.next() == .becameActive)
        }

        @Test func `shutdown locks, and one that is called off does not`() async throws {
            let heard = try await begin()
            try say("PrepareForShutdown", true)
            #expect(await heard.next() == .protectedDataLeaving)
            try say("PrepareForShutdown", false)
            #expect(await heard.next() == .becameActive)
        }

        @Test func `sleep waits until the listener has done what it had to, each time`() async throws {
            let heard = try await begin()
            for _ in 1...2 {
                try say("PrepareForSleep", true)
                #expect(await heard.next(asking: false) == .protectedDataLeaving)
                #expect(try await TestStack.inhibitors() == 1)
                await heard.ask()
                try await TestStack.eventually { try await TestStack.inhibitors() == 0 }
                try say("PrepareForSleep", false)
                #expect(await heard.next(asking: false) == .becameActive)
                try await TestStack.eventually { try await TestStack.inhibitors() == 1 }
                await heard.ask()
            }
        }

        @Test func `a listener that does nothing does not hold up sleep for long`() async throws {
            let heard = try await begin(limit: {})
            try say("PrepareForSleep", true)
            #expect(await heard.next(asking: false) == .protectedDataLeaving)
            try await TestStack.eventually { try await TestStack.inhibitors() == 0 }
        }

        @Test func `a listener that went away holds up nothing`() async throws {
            do { _ = try await begin().stop() }
            try await TestStack.eventually { try await TestStack.inhibitors() == 0 }
        }

        @Test(.holds("A55")) func `an unlock or an awakening that another program says is none`() async throws {
            let heard = try await begin()
            let forger = try Forger()
            try forger.say(Self.path + "/session/c1", Self.name + ".Session", "Unlock")
            try forger.say(Self.path, Self.name + ".Manager", "PrepareForSleep", "false")
            try session("c1", "Lock")
            #expect(await heard.next() == .protectedDataLeaving)
        }

        @Test func `a logind that goes away locks, since a lock may be missed, and is listened to again`() async throws
        {
            let heard = try await begin()
            try TestStack.run("stop", "logind")
            #expect(await heard.next(asking: false) == .protectedDataLeaving)
            try TestStack.run("start", "logind")
            await heard.ask()
            try await TestStack.eventually { try await TestStack.inhibitors() > 0 }
            try session("c1", "Lock")
            #expect(await heard.next() == .protectedDataLeaving)
        }

        /// What a listener that only runs as long as its test hears first; nil when it ends without a word.
        private func first(ownedBy owner: UInt32) async -> DeviceEvent? {
            var events = LogindEvents(bus: bus, ownedBy: owner).stream().makeAsyncIterator()
            return await events.next()
        }

        @Test(.timeLimit(.minutes(2))) func `without logind nobody tells, and with it the same bus does`() async throws
        {
            try TestStack.run("stop", "logind")
            #expect(await first(ownedBy: TestStack.owner) == nil)
            try TestStack.run("start", "logind")
            async let event = first(ownedBy: TestStack.owner)
            try await TestStack.eventually { try await TestStack.inhibitors() > 0 }
            try session("c1", "Lock")
            #expect(await event == .protectedDataLeaving)
        }

        @Test(.holds("A55"), .timeLimit(.minutes(2)))
        func `a logind that somebody else runs is not listened to, where its owner's is`() async throws {
            let heard = try await begin()
            async let event = first(ownedBy: TestStack.owner + 1)
            try session("c1", "Lock")
            #expect(await heard.next() == .protectedDataLeaving)
            #expect(await event == nil)
        }
    }
}

/// One listener, whose asking for the next event can be told from its having it.
private actor Heard {
    private let events: AsyncStream<DeviceEvent>
    private var asked: Task<DeviceEvent?, Never>?

    init(_ events: AsyncStream<DeviceEvent>) {
        self.events = events
    }

    /// Asks for the next event, without waiting for it.
    func ask() {
        asked = Task { [events] in
            var iterator = events.makeAsyncIterator()
            return await iterator.next()
        }
    }

    /// The event that was asked for; asks for the next one.
    func next(asking: Bool = true) async -> DeviceEvent? {
        let event = await asked?.value
        if asking { ask() }
        return event ?? nil
    }

    func stop() async {
        asked?.cancel()
        _ = await asked?.value
    }
}
