import ThumbturnRules

/// fprintd, the system's fingerprint service, and what it reports without waking a reader.
///
/// It is looked up at each use: it exits when it is idle, and returns under another unique name.
struct Fprint: Sendable {
    /// A reader, with the fprintd process that reported it.
    struct Reader: Sendable {
        /// The unique name of fprintd.
        let service: String
        let path: String
        /// The user's enrolled fingers, such as `right-index-finger`.
        var fingers: [String] = []
        /// The time until which its answers count.
        var deadline: BusDeadline

        static let interface = "net.reactivated.Fprint.Device"

        func call(_ member: String, _ arguments: String...) -> BusCall {
            BusCall(
                destination: service,
                path: path,
                interface: Self.interface,
                member: member,
                arguments: arguments,
                deadline: deadline
            )
        }

        /// Uses Properties.Get, because sd-bus refuses the hyphens in fprintd's property names.
        func property(_ name: String) -> BusCall {
            BusCall(
                destination: service,
                path: path,
                interface: "org.freedesktop.DBus.Properties",
                member: "Get",
                arguments: [Self.interface, name],
                deadline: deadline
            )
        }
    }

    let bus: BusConnection
    /// The user id that the service runs as: root except in tests.
    let owner: UInt32

    /// Returns every reader with its fingers, in a stable order.
    ///
    /// - Parameter deadline: for these calls, and for later calls to the returned readers.
    func readers(before deadline: BusDeadline = BusDeadline(after: Patience.bus)) async throws(BusFailure) -> [Reader] {
        let devices = try await bus.pin(
            BusCall(
                destination: "net.reactivated.Fprint",
                path: "/net/reactivated/Fprint/Manager",
                interface: "net.reactivated.Fprint.Manager",
                member: "GetDevices",
                deadline: deadline
            ),
            ownedBy: owner
        )
        guard let paths = devices.values.first?.list else { throw .malformed }
        var readers: [Reader] = []
        for path in paths.compactMap(\.text).sorted() {
            var reader = Reader(service: devices.sender, path: path, deadline: deadline)
            do throws(BusFailure) {
                // An empty name stands for the calling user.
                let fingers = try await bus.call(reader.call("ListEnrolledFingers", ""))
                guard let names = fingers.values.first?.list else { throw .malformed }
                reader.fingers = names.compactMap(\.text).sorted()
            } catch .refused("net.reactivated.Fprint.Error.NoEnrolledPrints") {}
            readers.append(reader)
        }
        return readers
    }

    /// Whether the reader is asking for a finger at this moment; false if the service doesn't say.
    func isBusy(_ reader: Reader) async -> Bool {
        guard let reply = try? await bus.call(reader.property("finger-needed")) else { return false }
        return reply.values.first?.list?.first?.bool ?? false
    }

    func name(of reader: Reader) async throws(BusFailure) -> String {
        guard let name = try await bus.call(reader.property("name")).values.first?.list?.first?.text else {
            throw .malformed
        }
        return name
    }
}
