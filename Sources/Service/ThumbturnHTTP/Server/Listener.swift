import CTLS
import Glibc

/// A listening socket.
struct Listener: ~Copyable {
    private let socket: Descriptor
    let port: UInt16

    enum Accepted: ~Copyable {
        case connection(Descriptor, PeerAddress)
        /// No connection is waiting.
        case nobody
        /// The client disconnected before its connection was accepted.
        case gone
        /// The system lacks resources for the connection, with this `errno`.
        case exhausted(errno: CInt)
    }

    /// Listens on the host's first address.
    init(host: String, port: UInt16) throws(HTTPError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let first = unsafe list else {
            throw .unknownHost
        }
        defer { unsafe freeaddrinfo(first) }
        let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        guard let socket = Descriptor(unsafe Glibc.socket(first.pointee.ai_family, type, 0)) else {
            throw .cannotListen(errno: errno)
        }
        var yes: CInt = 1
        // A restarted server may take over the port from connections that are still closing.
        _ = unsafe setsockopt(socket.number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<CInt>.size))
        guard unsafe bind(socket.number, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            // The kernel caps this at its own limit.
            listen(socket.number, 4_096) == 0
        else { throw .cannotListen(errno: errno) }
        self.port = Self.port(of: socket.number)
        self.socket = socket
    }

    var number: CInt { socket.number }

    func accept() -> Accepted {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let number = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe tls_accept(socket.number, $0, &length)
            }
        }
        if let descriptor = Descriptor(number) {
            var yes: CInt = 1
            _ = unsafe setsockopt(number, CInt(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<CInt>.size))
            return .connection(descriptor, PeerAddress(address))
        }
        switch errno {
        case EAGAIN: return .nobody
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted(errno: errno)
        default: return .gone
        }
    }

    private static func port(of number: CInt) -> UInt16 {
        var address = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        // The port is at the same offset in both families.
        _ = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(number, $0, &length)
            }
        }
        return UInt16(bigEndian: address.sin6_port)
    }
}

extension PeerAddress {
    /// Creates the address of a socket's peer.
    fileprivate init(_ storage: sockaddr_storage) {
        let isIPv4 = CInt(storage.ss_family) == AF_INET
        self = unsafe withUnsafeBytes(of: storage) { bytes in
            if isIPv4 {
                let address = unsafe bytes.load(as: sockaddr_in.self)
                return PeerAddress(ipv4: UInt32(bigEndian: address.sin_addr.s_addr))
            }
            let address = unsafe bytes.load(as: sockaddr_in6.self).sin6_addr
            return unsafe withUnsafeBytes(of: address) { unsafe PeerAddress(ipv6: Array($0)) }
        }
    }
}
