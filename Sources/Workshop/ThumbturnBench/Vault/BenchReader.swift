import CSDBus
import CTLS
import Glibc
import ThumbturnConsole

/// The virtual reader of a stack, with its own bus connection, which receives the signal of a match.
@safe final class BenchReader: @unchecked Sendable {
    // Safe to share: each touch is complete before the next one starts.
    private let socket: String
    private var bus: OpaquePointer?

    /// Enrols a finger at a reader.
    ///
    /// - Parameter stack: the folder given to `Scripts/linux-stack.sh up`.
    init(stack: String) throws {
        socket = stack + "/reader.sock"
        let address = "unix:path=\(stack)/bus.sock"
        let rule = "type='signal',interface='\(Self.interface)',member='VerifyStatus'"
        guard unsafe sd_bus_new(&bus) >= 0, unsafe sd_bus_set_address(bus, address) >= 0,
            unsafe sd_bus_set_bus_client(bus, 1) >= 0, unsafe sd_bus_start(bus) >= 0,
            unsafe sd_bus_add_match(bus, nil, rule, { _, _, _ in 0 }, nil) >= 0
        else { throw BenchError(what: "no bus listens in \(stack)") }
        let enrolment = try RunningChild(
            "/usr/bin/fprintd-enroll",
            ["-f", "right-index-finger"],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS=\(address)"],
            hasSecrets: false
        )
        // The reader listens once it is claimed, and queues scans; an enrolment takes five.
        for _ in 0..<5 { try eventually("the reader does not listen") { self.scan() } }
        guard enrolment.finish().exitCode == 0 else { throw BenchError(what: "no finger can be enrolled") }
    }

    deinit { unsafe sd_bus_close_unref(bus) }

    private static let interface = "net.reactivated.Fprint.Device"

    /// Simulates a touch.
    ///
    /// - Returns: the time at which fprintd's match signal was received here.
    func touch() throws -> Double {
        guard scan() else { throw BenchError(what: "the reader does not listen") }
        while true {
            var message: OpaquePointer?
            defer { unsafe sd_bus_message_unref(message) }
            let result = unsafe sd_bus_process(bus, &message)
            let time = monotonicSeconds()
            guard result >= 0 else { throw BenchError(what: "the bus has gone") }
            if let message = unsafe message,
                unsafe sd_bus_message_is_signal(message, Self.interface, "VerifyStatus") > 0
            {
                var word: UnsafePointer<CChar>?
                let text = CChar(bitPattern: UInt8(ascii: "s"))
                guard unsafe sd_bus_message_read_basic(message, text, &word) > 0,
                    unsafe word.map({ unsafe String(cString: $0) }) == "verify-match"
                else { throw BenchError(what: "the finger did not match") }
                return time
            }
            if result == 0, unsafe sd_bus_wait(bus, 20_000_000) <= 0 { throw BenchError(what: "no signal of a match") }
        }
    }

    /// Sends a scan to the reader; returns false if it is not listening.
    private func scan() -> Bool {
        guard let file = UnixSocket.connection(to: socket) else { return false }
        defer { close(file) }
        let command = Array("SCAN bench".utf8)
        guard unsafe write(file, command, command.count) == command.count else { return false }
        shutdown(file, Int32(SHUT_WR))
        var end: UInt8 = 0
        while unsafe read(file, &end, 1) > 0 {}
        return true
    }
}
