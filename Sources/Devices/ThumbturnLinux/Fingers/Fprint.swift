import ThumbturnRules

/// fprintd, the system's service of fingerprint readers, and what it says without waking a reader.
///
/// It is looked for at each use: it ends when nobody needs it, and comes back under another unique name.
struct Fprint: Sendable {
    /// A reader, at the process of fprintd that told of it.
    struct Reader: Sendable {
        /// The unique name of fprintd.
        let service: String
        let path: String
        /// The fingers of the user that it knows, such as `right-index-finger`.
        var fingers: [String] = []
        /// Until when its answers count.
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

        /// Properties.Get, because sd-bus refuses the hyphens in fprintd's names.
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
    /// Who runs the service: the superuser but in tests.
    let owner: UInt32

    /// Every reader with its fingers, in a steady order.
    ///
    /// - Parameter deadline: of all questions, and of those to the readers that follow.
    func readers(
        before deadline: BusDeadline = BusDeadline(after: Patience.bus)
    ) async throws(BusFailure) -> [Reader] {
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
                // An empty name is the user who asks.
                let fingers = try await bus.call(reader.call("ListEnrolledFingers", ""))
                guard let names = fingers.values.first?.list else { throw .malformed }
                reader.fingers = names.compactMap(\.text).sorted()
            } catch .refused("net.reactivated.Fprint.Error.NoEnrolledPrints") {}
            readers.append(reader)
        }
        return readers
    }

    /// Whether somebody is being asked for a finger at this moment; false where the service doesn't say.
    func isBusy(_ reader: Reader) async -> Bool {
        guard let reply = try? await bus.call(reader.property("finger-needed")) else { return false }
        return reply.values.first?.list?.first?.bool ?? false
    }

    /// What the maker calls a reader.
    func name(of reader: Reader) async throws(BusFailure) -> String {
        guard let name = try await bus.call(reader.property("name")).values.first?.list?.first?.text else {
            throw .malformed
        }
        return name
    }
}
