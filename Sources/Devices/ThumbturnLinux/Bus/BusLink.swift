import CSDBus
import Glibc

/// One sd-bus connection with its pending calls and listeners; used on one thread only.
///
/// It connects at the first call, and again at the first call after the bus was lost. Pending calls fail when the bus
/// is lost, and listeners must subscribe again.
@safe final class BusLink {
    /// Receives the signals of a peer, and nil when the peer or the bus is gone.
    typealias Listener = @Sendable (BusSignal?) -> Void

    private struct Waiting {
        let destination: String
        let deadline: BusDeadline
        let answer: (Result<BusReply, BusFailure>) -> Void
    }

    private let address: String
    private var bus: OpaquePointer?
    private var waiting: [UInt64: Waiting] = [:]
    private var listeners: [UInt64: (sender: String, receive: Listener)] = [:]
    private var lastListener: UInt64 = 0

    init(address: String) { self.address = address }

    /// Sends a call; `answer` is called exactly once.
    func send(_ call: BusCall, _ answer: @escaping (Result<BusReply, BusFailure>) -> Void) {
        do throws(BusFailure) {
            guard !call.deadline.isOver else { throw .noAnswer }
            waiting[try cookie(of: call)] = Waiting(
                destination: call.destination,
                deadline: call.deadline,
                answer: answer
            )
        } catch {
            answer(.failure(error))
        }
    }

    /// Returns a number that no listener has used before.
    func nextListener() -> UInt64 {
        lastListener += 1
        return lastListener
    }

    /// Delivers every signal of the peer with this unique name from now on, as far as match rules let the bus send it.
    func listen(to sender: String, as number: UInt64, _ receive: @escaping Listener) {
        listeners[number] = (sender, receive)
    }

    /// Removes a listener without telling it.
    func forget(_ listener: UInt64) { listeners[listener] = nil }

    /// Closes the connection; pending calls fail, and listeners receive nil.
    func close() {
        guard let open = unsafe bus else { return }
        unsafe bus = nil
        unsafe sd_bus_close_unref(open)
        let (unanswered, deaf) = (waiting.values, listeners.values)
        (waiting, listeners) = ([:], [:])
        for call in unanswered { call.answer(.failure(.disconnected)) }
        for listener in deaf { listener.receive(nil) }
    }

    // --- for the thread ---

    /// Processes everything that needs no waiting.
    func process() {
        while let open = unsafe bus {
            let result = unsafe sd_bus_process(open, nil)
            if result < 0 { return close() }
            if result == 0 { return giveUp() }
        }
    }

    /// Fails the calls whose deadline has passed; a later answer is ignored.
    ///
    /// This timer is our own: that of sd-bus starts only once it is connected, and a stopped bus accepts a connection
    /// and never says anything on it.
    private func giveUp() {
        for (cookie, call) in waiting where call.deadline.isOver {
            waiting[cookie] = nil
            call.answer(.failure(.noAnswer))
        }
    }

    /// What to poll: a descriptor, its events, and a timeout in milliseconds or -1; nil while there is no connection.
    var interest: (descriptor: pollfd, patience: Int32)? {
        guard let open = unsafe bus else { return nil }
        let events = unsafe Int16(truncatingIfNeeded: max(0, sd_bus_get_events(open)))
        let descriptor = unsafe pollfd(fd: sd_bus_get_fd(open), events: events, revents: 0)
        var first = UInt64.max  // microseconds of CLOCK_MONOTONIC
        if unsafe sd_bus_get_timeout(open, &first) < 0 { first = .max }
        for call in waiting.values { first = min(first, call.deadline.microseconds) }
        guard first != .max else { return (descriptor, -1) }
        return (descriptor, Int32(clamping: BusDeadline(microseconds: first).millisecondsLeft))
    }

    // --- sd-bus ---

    private func connected() throws(BusFailure) -> OpaquePointer {
        if let open = unsafe bus { return unsafe open }
        guard hasSocket else { throw .disconnected }
        var made: OpaquePointer?
        // `sd_bus_open_system` would take the address from the environment, where an attacker can plant one (A55).
        guard unsafe sd_bus_new(&made) >= 0, let fresh = unsafe made else { throw .disconnected }
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        guard unsafe sd_bus_set_address(fresh, address) >= 0, unsafe sd_bus_set_bus_client(fresh, 1) >= 0,
            unsafe sd_bus_add_filter(
                fresh,
                nil,
                { message, link, _ in
                    unsafe BusLink.from(link)?.receive(message)
                    return 0
                },
                me
            ) >= 0, unsafe sd_bus_start(fresh) >= 0
        else {
            unsafe sd_bus_close_unref(fresh)
            throw .disconnected
        }
        unsafe bus = unsafe fresh
        return unsafe fresh
    }

    /// Whether there is a socket to connect to: without one, libsystemd need not be loaded.
    private var hasSocket: Bool {
        let scheme = "unix:path="
        guard address.hasPrefix(scheme) else { return true }
        return unsafe access(String(address.dropFirst(scheme.count)), F_OK) == 0
    }

    /// Sends a call.
    ///
    /// - Returns: the cookie that identifies its answer.
    private func cookie(of call: BusCall) throws(BusFailure) -> UInt64 {
        let bus = try unsafe connected()
        var made: OpaquePointer?
        let result = unsafe sd_bus_message_new_method_call(
            bus,
            &made,
            call.destination,
            call.path,
            call.interface,
            call.member
        )
        guard result >= 0, let message = unsafe made else { throw .malformed }
        defer { unsafe sd_bus_message_unref(message) }
        for argument in call.arguments {
            let text = CChar(bitPattern: UInt8(ascii: "s"))
            guard unsafe sd_bus_message_append_basic(message, text, argument) >= 0 else { throw .malformed }
        }
        let me = unsafe Unmanaged.passUnretained(self).toOpaque()
        let sent = unsafe sd_bus_call_async(
            bus,
            nil,
            message,
            { reply, link, _ in
                unsafe BusLink.from(link)?.answer(with: reply)
                return 1
            },
            me,
            UInt64.max  // `giveUp` handles the timeout.
        )
        var cookie: UInt64 = 0
        guard sent >= 0, unsafe sd_bus_message_get_cookie(message, &cookie) >= 0 else { throw .disconnected }
        return cookie
    }

    /// Returns the link that sd-bus calls back.
    ///
    /// It lives as long as its connection, and the caller is the connection's thread.
    private static func from(_ context: UnsafeMutableRawPointer?) -> BusLink? {
        unsafe context.map { unsafe Unmanaged<BusLink>.fromOpaque($0).takeUnretainedValue() }
    }

    private func answer(with reply: OpaquePointer?) {
        guard let reply = unsafe reply.map({ unsafe BusMessage(message: $0) }), let cookie = reply.answeredCookie,
            let call = waiting.removeValue(forKey: cookie)
        else { return }
        call.answer(Self.result(of: reply, from: call.destination))
    }

    private static func result(of reply: BusMessage, from destination: String) -> Result<BusReply, BusFailure> {
        let isUnique = destination.utf8.first == UInt8(ascii: ":")
        switch reply.errorName {
        case nil: break
        // sd-bus reports this when nothing came, the bus when a peer left.
        case "org.freedesktop.DBus.Error.NoReply"?, "org.freedesktop.DBus.Error.Timeout"?: return .failure(.noAnswer)
        case "org.freedesktop.DBus.Error.ServiceUnknown"? where isUnique,
            "org.freedesktop.DBus.Error.NameHasNoOwner"? where isUnique:
            return .failure(.noAnswer)
        case let name?: return .failure(.refused(name))
        }
        // Only the peer that was called may answer. The bus enforces this; check it again here.
        guard reply.sender == destination || !isUnique && destination != BusCall.daemon else {
            return .failure(.malformed)
        }
        return .success(BusReply(sender: reply.sender, values: reply.values()))
    }

    /// Handles a signal.
    ///
    /// A bus forwards messages to us from any sender, so only the sender counts; nothing else of a message is read
    /// before the sender is checked.
    private func receive(_ message: OpaquePointer?) {
        guard let message = unsafe message.map({ unsafe BusMessage(message: $0) }), !listeners.isEmpty,
            unsafe sd_bus_message_is_signal(message.message, nil, nil) > 0
        else { return }
        let sender = message.sender
        if sender == BusCall.daemon { return receiveOwners(message) }
        let listeners = self.listeners.values.filter { $0.sender == sender }
        guard !listeners.isEmpty else { return }
        let signal = BusSignal(
            path: message.path,
            interface: message.interface,
            member: message.member,
            values: message.values()
        )
        for listener in listeners { listener.receive(signal) }
    }

    private func receiveOwners(_ message: BusMessage) {
        guard message.member == "NameOwnerChanged" else { return }
        let names = message.values().map(\.text)
        // A unique name has one owner in the life of a bus: it appears once, and disappears once.
        guard names.count == 3, let gone = names[0], names[2] == "" else { return }
        for (number, listener) in listeners where listener.sender == gone {
            listeners[number] = nil
            listener.receive(nil)
        }
    }
}
