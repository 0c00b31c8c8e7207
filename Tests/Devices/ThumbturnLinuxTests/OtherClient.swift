import Foundation
import Testing
import ThumbturnRules

@testable import ThumbturnLinux

/// Another program on the bus that uses the readers.
struct OtherClient {
    private let bus = BusConnection(address: TestStack.address)
    private var fprint: Fprint { Fprint(bus: bus, owner: TestStack.owner) }

    /// The reader that the tests drive, not the one that takes pictures.
    private func reader() async throws -> Fprint.Reader {
        for reader in try await fprint.readers(before: BusDeadline(after: .minutes(2))) {
            if try await fprint.name(of: reader).hasPrefix("Virtual device") { return reader }
        }
        throw BusFailure.malformed
    }

    /// Calls a method of the first reader.
    func call(_ member: String, _ arguments: String...) async throws(BusFailure) {
        guard let reader = try await fprint.readers().first else { throw .malformed }
        var call = reader.call(member)
        call.arguments = arguments
        _ = try await bus.call(call)
    }

    /// Waits until somebody is asked for a finger; what a reader is told before is lost.
    func fingerIsNeeded() async throws {
        while try await !fprint.isBusy(reader()) { try Task.checkCancellation() }
    }

    /// Enrols the finger `id` of the virtual reader's as `name`.
    func enrol(_ id: String, as name: String = "right-index-finger") async throws {
        let reader = try await reader()
        _ = try await bus.call(reader.call("Claim", ""))
        let (signals, say) = AsyncStream.makeStream(of: BusSignal.self)
        let ear = try await bus.listen(
            to: reader.service,
            from: reader.call("EnrollStart", name),
            rules: ["path='\(reader.path)'"]
        ) {
            if let signal = $0, signal.member == "EnrollStatus" { say.yield(signal) }
        }.ear
        try TestStack.happen("SCAN " + id)
        for await signal in signals {
            if signal.values.last?.bool == true {
                #expect(signal.values.first?.text == "enroll-completed")
                break
            }
            try TestStack.happen("SCAN " + id)
        }
        await bus.close(ear)
        _ = try await bus.call(reader.call("EnrollStop"))
        _ = try await bus.call(reader.call("Release"))
    }

    /// Deletes a finger.
    func delete(_ name: String) async throws {
        let reader = try await reader()
        _ = try await bus.call(reader.call("Claim", ""))
        _ = try await bus.call(reader.call("DeleteEnrolledFinger", name))
        _ = try await bus.call(reader.call("Release"))
    }
}

/// A program of another user that says what it may not: signals in the name of a service.
///
/// Where the tests run as an ordinary user it is another program of that user.
final class Forger {
    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())
    /// Its unique name on the bus.
    let name: String
    /// The unique names of this test's connections.
    private let names: [String]

    private static let script = """
        import dbus, dbus.bus, dbus.lowlevel, os, sys
        if os.getuid() == 0:
            os.setgroups([]); os.setgid(65534); os.setuid(65534)
        bus = dbus.bus.BusConnection(sys.argv[1])
        names = []
        for name in bus.list_names():
            if name.startswith(":") and bus.call_blocking("org.freedesktop.DBus", "/", "org.freedesktop.DBus",
                    "GetConnectionUnixProcessID", "s", (name,)) == int(sys.argv[2]):
                names.append(name)
        print(bus.get_unique_name(), *names, flush=True)
        for line in sys.stdin:
            path, interface, member, *values = line.split()
            for name in [None] + names:
                message = dbus.lowlevel.SignalMessage(path, interface, member)
                for value in values:
                    message.append(value == "true" if value in ("true", "false") else value)
                if name: message.set_destination(name)
                bus.send_message(message)
            bus.list_names()  # Answered after the signals were passed on.
            print("said", flush=True)
        """

    init() throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.script, TestStack.address, "\(getpid())"]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let names = try Self.line(from: output).split(separator: " ").map(String.init)
        name = try #require(names.first)
        self.names = Array(names.dropFirst())
        try #require(!self.names.isEmpty)
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    /// Says it to all, and to each connection of this test alone; returns once the bus has passed it on.
    func say(_ path: String, _ interface: String, _ member: String, _ values: String...) throws {
        let line = ([path, interface, member] + values).joined(separator: " ") + "\n"
        try input.fileHandleForWriting.write(contentsOf: Data(line.utf8))
        #expect(try Self.line(from: output) == "said")
    }

    private static func line(from pipe: Pipe) throws -> String {
        var bytes: [UInt8] = []
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != 10 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
