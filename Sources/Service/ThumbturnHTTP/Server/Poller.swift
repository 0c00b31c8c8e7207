import CTLS

/// Waits for a loop's sockets, and for wake-ups by other threads.
@safe struct Poller: ~Copyable {
    /// An event on a socket.
    struct Event {
        let token: UInt64
        /// Whether the connection has ended, even if there is input left.
        let isEnd: Bool
    }

    /// The tokens of wake-ups and of the listener.
    static let wakeToken = UInt64.max
    static let listenerToken = UInt64.max - 1

    private let epoll: Descriptor
    private let capacity = 256
    private let events: UnsafeMutablePointer<epoll_event>

    /// - Parameter wake: a counter that becomes readable when another thread wakes the loop.
    init?(wake: borrowing Descriptor) {
        guard let epoll = Descriptor(tls_epoll_create()),
            tls_epoll_add_level(epoll.number, wake.number, Self.wakeToken) == 0
        else { return nil }
        self.epoll = epoll
        unsafe events = .allocate(capacity: capacity)
    }

    deinit { unsafe events.deallocate() }

    /// Reports each change of a connection once.
    func watch(connection: CInt, token: UInt64) -> Bool { tls_epoll_add_edges(epoll.number, connection, token) == 0 }

    /// Reports waiting connections.
    func watch(listener: CInt) -> Bool { tls_epoll_add_level(epoll.number, listener, Self.listenerToken) == 0 }

    /// Stops reporting waiting connections.
    func forget(listener: CInt) { _ = tls_epoll_remove(epoll.number, listener) }

    /// Waits for events, up to this many milliseconds; -1 waits forever.
    func wait(milliseconds: CInt, _ body: (Event) -> Void) {
        let count = unsafe epoll_wait(epoll.number, events, CInt(capacity), milliseconds)
        for index in 0..<max(0, Int(count)) {
            let event = unsafe events + index
            unsafe body(Event(token: tls_event_token(event), isEnd: tls_event_is_end(event) != 0))
        }
    }
}
