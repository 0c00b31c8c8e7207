import CSDBus
import Glibc
import ThumbturnRules

/// A method call whose arguments are all strings, the only type that the services here need.
struct BusCall: Sendable {
    /// The name of the bus itself.
    static let daemon = "org.freedesktop.DBus"

    /// A name on the bus: the unique one once a service is pinned.
    var destination: String
    var path: String
    var interface: String
    var member: String
    var arguments: [String] = []
    /// The time until which an answer counts.
    var deadline = BusDeadline(after: Patience.bus)

    /// Creates a call to the bus itself.
    static func daemon(
        _ member: String,
        _ arguments: String...,
        before deadline: BusDeadline = BusDeadline(after: Patience.bus)
    ) -> BusCall {
        BusCall(
            destination: daemon,
            path: "/org/freedesktop/DBus",
            interface: daemon,
            member: member,
            arguments: arguments,
            deadline: deadline
        )
    }
}

/// The answer to a call.
struct BusReply: Sendable {
    /// The unique name of the peer that answered.
    let sender: String
    let values: [BusValue]

    /// The first value, if it is a string or a path.
    var text: String? { values.first?.text }
}

/// A signal from the peer that is listened to.
struct BusSignal: Sendable {
    let path: String
    let interface: String
    let member: String
    let values: [BusValue]
}

enum BusValue: Sendable {
    /// A string, an object path or a signature.
    case text(String)
    case bool(Bool)
    case unsigned(UInt64)
    case descriptor(BusDescriptor)
    /// The members of an array, structure or dictionary entry, or the one value of a variant.
    case list([BusValue])
    /// A value of a type that none of the services here sends.
    case other

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    var unsigned: UInt64? { if case .unsigned(let number) = self { number } else { nil } }
    var list: [BusValue]? { if case .list(let list) = self { list } else { nil } }
}

/// A file descriptor received in a message; closed with the last reference.
final class BusDescriptor: Sendable {
    private let number: Int32

    /// Duplicates the descriptor, because the message owns the original; nil when the process has reached its limit.
    fileprivate init?(copying original: Int32) {
        number = fcntl(original, F_DUPFD_CLOEXEC, 3)
        if number < 0 { return nil }
    }

    deinit { close(number) }
}

/// Reads a message of sd-bus, which has already validated its form.
@safe struct BusMessage {
    let message: OpaquePointer

    var sender: String { unsafe string(sd_bus_message_get_sender(message)) }
    var path: String { unsafe string(sd_bus_message_get_path(message)) }
    var interface: String { unsafe string(sd_bus_message_get_interface(message)) }
    var member: String { unsafe string(sd_bus_message_get_member(message)) }

    /// The name of the error in this reply; nil if it is not an error.
    var errorName: String? {
        guard let error = unsafe sd_bus_message_get_error(message), let name = unsafe error.pointee.name else {
            return nil
        }
        return unsafe String(cString: name)
    }

    var answeredCookie: UInt64? {
        var cookie: UInt64 = 0
        return unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0 ? cookie : nil
    }

    /// Returns the values, up to the first that can't be read.
    func values() -> [BusValue] {
        var values: [BusValue] = []
        while let value = next() { values.append(value) }
        return values
    }

    private func next() -> BusValue? {
        var type: CChar = 0
        var contents: UnsafePointer<CChar>?
        guard unsafe sd_bus_message_peek_type(message, &type, &contents) > 0 else { return nil }
        switch UInt8(bitPattern: type) {
        case UInt8(ascii: "s"), UInt8(ascii: "o"), UInt8(ascii: "g"):
            var text: UnsafePointer<CChar>?
            guard unsafe sd_bus_message_read_basic(message, type, &text) > 0 else { return nil }
            return unsafe .text(string(text))
        case UInt8(ascii: "b"):
            // A boolean is four bytes on the wire, and in sd-bus.
            return basic(type, 0 as Int32).map { .bool($0 != 0) }
        case UInt8(ascii: "u"):
            return basic(type, 0 as UInt32).map { .unsigned(UInt64($0)) }
        case UInt8(ascii: "t"):
            return basic(type, 0 as UInt64).map { .unsigned($0) }
        case UInt8(ascii: "h"):
            return basic(type, -1 as Int32).map { BusDescriptor(copying: $0).map { .descriptor($0) } ?? .other }
        case UInt8(ascii: "a"), UInt8(ascii: "v"), UInt8(ascii: "r"), UInt8(ascii: "e"):
            guard unsafe sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
            let members = values()
            guard unsafe sd_bus_message_exit_container(message) >= 0 else { return nil }
            return .list(members)
        default:
            return unsafe sd_bus_message_skip(message, nil) >= 0 ? .other : nil
        }
    }

    private func basic<Number: BitwiseCopyable>(_ type: CChar, _ zero: Number) -> Number? {
        var number = zero
        let result = unsafe withUnsafeMutablePointer(to: &number) {
            unsafe sd_bus_message_read_basic(message, type, $0)
        }
        return result > 0 ? number : nil
    }

    private func string(_ text: UnsafePointer<CChar>?) -> String {
        unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}
