import CSDBus
import Glibc
import Testing
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnLinux

struct BusAddressTests {
    @Test(.holds("A55")) func `a bus that the environment names is not contacted`() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("planted")
            guard let planted = UnixSocket.listen(at: path) else { exit(2) }
            unsafe setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=" + path, 1)
            unsafe setenv("DBUS_STARTER_ADDRESS", "unix:path=" + path, 1)
            // What it says does not matter: there may be no bus on this machine.
            _ = try? await BusConnection().call(.daemon("GetId"))
            _ = await FprintPrompt(bus: BusConnection(), assurance: .softwareFile).capability()
            guard accept(planted, nil, nil) == -1, errno == EAGAIN else { exit(3) }
            // The control: sd-bus left to itself goes there.
            var bus: OpaquePointer?
            _ = unsafe sd_bus_open_system(&bus)
            exit(accept(planted, nil, nil) >= 0 ? 0 : 4)
        }
    }

    @Test func `without a bus each call says so`() async throws {
        let folder = try TemporaryFolder()
        let bus = BusConnection(address: "unix:path=" + folder.file("none"))
        for _ in 1...2 {
            await #expect(throws: BusFailure.disconnected) { try await bus.call(.daemon("GetId")) }
        }
    }

    @Test func `where no thread can be started each call says that there is no bus, and none hangs or traps`()
        async throws
    {
        let bus = BusConnection(on: BusThread(address: "unix:path=/nowhere") { _ in false })
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...50 {
                group.addTask {
                    await #expect(throws: BusFailure.disconnected) { try await bus.call(.daemon("GetId")) }
                    await #expect(throws: BusFailure.disconnected) {
                        _ = try await bus.listen(to: ":1.1", from: .daemon("GetId"), rules: ["path='/a'"]) { _ in }
                    }
                }
            }
            try await group.waitForAll()
        }
        let prompt = FprintPrompt(bus: bus, assurance: .softwareFile)
        #expect(await prompt.capability().available == false)
    }

    @Test(.timeLimit(.minutes(1)))
    func `a bus that is stopped takes a connection, and costs all calls before one deadline no more than that`()
        async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("stopped")
        let listener = try #require(UnixSocket.listen(at: path))
        defer { close(listener) }
        let bus = BusConnection(address: "unix:path=" + path)
        let deadline = BusDeadline(after: Milliseconds(200))
        for _ in 1...3 {
            await #expect(throws: BusFailure.noAnswer) { try await bus.call(.daemon("GetId", before: deadline)) }
        }
        #expect(deadline.isOver && deadline.millisecondsLeft == 0)
        let rules = (1...100).map { "path='/\($0)'" }
        await #expect(throws: BusFailure.noAnswer) {
            _ = try await bus.listen(to: ":1.1", from: .daemon("GetId", before: deadline), rules: rules) { _ in }
        }
    }

    @Test(.timeLimit(.minutes(1)), .holds("F-107-01"))
    func `a reader behind such a bus can't be used now, and what follows in the same command asks nobody`() async throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("stopped")
        let listener = try #require(UnixSocket.listen(at: path))
        let prompt = FprintPrompt(bus: BusConnection(address: "unix:path=" + path), assurance: .softwareFile)
        #expect(await prompt.capability().reasonIfUnavailable == .temporarilyUnavailable)
        #expect(prompt.lastLook.isSilent)
        guard case .failure(let refusal)? = prompt.lastLook.set, case .readerFailed = refusal.meaning else {
            throw BusFailure.malformed
        }
        // Nothing is there that could be asked any more, which would be another answer.
        close(listener)
        unsafe unlink(path)
        #expect(await prompt.capability().reasonIfUnavailable == .temporarilyUnavailable)
        #expect(prompt.lastLook.isSilent)
    }

    @Test func `a peer that does not speak the protocol is no bus`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("mute")
        let listener = try #require(UnixSocket.listen(at: path))
        let bus = BusConnection(address: "unix:path=" + path)
        async let failure: BusFailure? = {
            do throws(BusFailure) {
                _ = try await bus.call(.daemon("GetId"))
                return nil
            } catch {
                return error
            }
        }()
        var peer: Int32 = -1
        while peer < 0 {
            peer = accept(listener, nil, nil)
            await Task.yield()
        }
        close(peer)
        close(listener)
        #expect([.disconnected, .noAnswer].contains(await failure))
    }
}

extension OnTheStack {
    struct BusConnectionTests {
        private let bus = BusConnection(address: TestStack.address)
        private static let logind = ("org.freedesktop.login1", "/org/freedesktop/login1")
        private static let mock = "org.freedesktop.DBus.Mock"

        init() throws { try TestStack.run("up") }

        @Test func `many calls at once each get their own answer`() async throws {
            try TestStack.call(
                Self.logind.0,
                Self.logind.1,
                Self.mock + ".AddMethod",
                "org.freedesktop.login1.Manager",
                "Echo",
                "s",
                "s",
                "ret = args[0]"
            )
            // A bus lets fifty wait at once.
            let names = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                for number in 0..<40 {
                    let call = Self.call("Echo", "s\(number)")
                    group.addTask { (number, try await bus.call(call).text) }
                }
                return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
            }
            #expect(names.count == 40)
            for (number, name) in names { #expect(name == "s\(number)") }
        }

        @Test func `an error has its name, and an empty service is unknown`() async throws {
            await #expect(throws: BusFailure.refused("org.freedesktop.DBus.Error.UnknownMethod")) {
                try await bus.call(Self.call("NoSuchMethod"))
            }
            var call = Self.call("GetSession", "c1")
            call.destination = "org.example.Nobody"
            let unknown = call
            await #expect(throws: BusFailure.refused("org.freedesktop.DBus.Error.ServiceUnknown")) {
                try await bus.call(unknown)
            }
            call.destination = ":1.4000"
            let gone = call
            await #expect(throws: BusFailure.noAnswer) { try await bus.call(gone) }
        }

        @Test func `a peer that says nothing costs the call its patience, and no more`() async throws {
            try TestStack.call(
                Self.logind.0,
                Self.logind.1,
                "org.freedesktop.DBus.Mock.AddMethod",
                "org.freedesktop.login1.Manager",
                "Dawdle",
                "",
                "",
                "import time; time.sleep(3)"
            )
            var call = Self.call("Dawdle")
            call.deadline = BusDeadline(after: .seconds(1))
            let slow = call
            await #expect(throws: BusFailure.noAnswer) { try await bus.call(slow) }
            #expect(try await bus.call(.daemon("GetId")).text?.isEmpty == false)
        }

        @Test(.holds("A55")) func `who runs a service is asked of the bus`() async throws {
            let call = Self.call("GetSession", "c1")
            #expect(try await bus.pin(call, ownedBy: TestStack.owner).sender.hasPrefix(":"))
            await #expect(throws: BusFailure.untrusted) { try await bus.pin(call, ownedBy: TestStack.owner + 1) }
        }

        @Test func `what is said before the answer is not heard, and what is said after it is`() async throws {
            // It says one word before its answer; the next call says another.
            for (method, word) in [("Early", "before"), ("Late", "after")] {
                try TestStack.call(
                    Self.logind.0,
                    Self.logind.1,
                    Self.mock + ".AddMethod",
                    "org.freedesktop.login1.Manager",
                    method,
                    "",
                    "",
                    "self.EmitSignal('org.freedesktop.login1.Manager', 'Said', 's', ['\(word)'])"
                )
            }
            let service = try await bus.pin(Self.call("GetSession", "c1"), ownedBy: TestStack.owner).sender
            let (words, say) = AsyncStream.makeStream(of: String?.self)
            var early = Self.call("Early")
            early.destination = service
            let ear = try await bus.listen(to: service, from: early, rules: ["path='\(Self.logind.1)'"]) {
                // The stand-in also says which methods were called.
                if $0?.member == "Said" { say.yield($0?.values.first?.text) }
            }.ear
            _ = try await bus.call(Self.call("Late"))
            await bus.close(ear)
            _ = try await bus.call(Self.call("Late"))
            say.finish()
            var heard: [String?] = []
            for await word in words { heard.append(word) }
            #expect(heard == ["after"])
        }

        @Test func `who listens is told when the peer goes, and when the bus does`() async throws {
            for end in ["logind", "bus"] {
                let service = try await bus.pin(Self.call("GetSession", "c1"), ownedBy: TestStack.owner).sender
                let (words, say) = AsyncStream.makeStream(of: Bool.self)
                _ = try await bus.listen(to: service, from: .daemon("GetId"), rules: []) { say.yield($0 == nil) }
                try TestStack.run("stop", end)
                for await isGone in words where isGone { break }
                if end == "logind" { try TestStack.run("start", end) }
            }
            await #expect(throws: BusFailure.disconnected) { try await bus.call(.daemon("GetId")) }
        }

        @Test func `a connection that nobody holds leaves the bus`() async throws {
            func names() async throws -> Int { try await bus.call(.daemon("ListNames")).values.first?.list?.count ?? 0 }
            let before = try await names()
            do {
                let more = BusConnection(address: TestStack.address)
                _ = try await more.call(.daemon("GetId"))
                #expect(try await names() == before + 1)
            }
            try await TestStack.eventually { try await names() == before }
        }

        private static func call(_ member: String, _ arguments: String...) -> BusCall {
            BusCall(
                destination: logind.0,
                path: logind.1,
                interface: "org.freedesktop.login1.Manager",
                member: member,
                arguments: arguments
            )
        }
    }
}
