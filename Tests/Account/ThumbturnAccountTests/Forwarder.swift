import Foundation
import Glibc
import Synchronization

/// Stands before a service, hands each byte on as it comes, and keeps a copy of all of them.
final class Forwarder: Sendable {
    struct Failure: Error {}

    private struct State {
        var target: UInt16 = 0
        var sent: [[UInt8]] = []
        var answered: [[UInt8]] = []
    }

    let port: UInt16
    private let listener: CInt
    private let state = Mutex(State())

    /// What clients call the service behind it.
    var origin: String { "http://127.0.0.1:\(port)" }
    /// Every byte that clients sent, each connection's by itself.
    var sent: [[UInt8]] { state.withLock { $0.sent } }
    /// Every byte that they were answered.
    var answered: [[UInt8]] { state.withLock { $0.answered } }

    init() throws {
        let listener = Self.makeSocket()
        port = try unsafe Self.withAddress(0) { address, length in
            guard unsafe bind(listener, address, length.pointee) == 0, listen(listener, 64) == 0,
                unsafe getsockname(listener, address, length) == 0
            else { throw Failure() }
        }
        self.listener = listener
    }

    deinit { stop() }

    /// Begins to hand on, to a port of this machine.
    func start(to origin: String) throws {
        guard let target = origin.split(separator: ":").last.flatMap({ UInt16($0) }) else { throw Failure() }
        state.withLock { $0.target = target }
        let listener = listener
        Thread.detachNewThread { [weak self] in
            while case let client = accept(listener, nil, nil), client >= 0 { self?.serve(client) }
        }
    }

    /// Takes no more.
    func stop() {
        shutdown(listener, CInt(SHUT_RDWR))
        close(listener)
    }

    private func serve(_ client: CInt) {
        let server = Self.makeSocket()
        let (target, index) = state.withLock { state in
            state.sent.append([])
            state.answered.append([])
            return (state.target, state.sent.count - 1)
        }
        let isThere = try? unsafe Self.withAddress(target) { address, length in
            guard unsafe connect(server, address, length.pointee) == 0 else { throw Failure() }
        }
        guard isThere != nil else {
            close(client)
            close(server)
            return
        }
        Thread.detachNewThread { [self] in
            copy(from: client, to: server) { bytes in self.state.withLock { $0.sent[index] += bytes } }
        }
        Thread.detachNewThread { [self] in
            copy(from: server, to: client) { bytes in self.state.withLock { $0.answered[index] += bytes } }
        }
    }

    /// Copies until the one side ends.
    private func copy(from source: CInt, to target: CInt, _ keep: ([UInt8]) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = unsafe recv(source, &buffer, buffer.count, 0), count > 0 {
            keep(Array(buffer[..<count]))
            _ = unsafe send(target, buffer, count, CInt(MSG_NOSIGNAL))
        }
        shutdown(target, CInt(SHUT_WR))
        shutdown(source, CInt(SHUT_RD))
    }

    private static func makeSocket() -> CInt { socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }

    /// Lends the address of a port of this machine; returns the port that stands there then.
    @discardableResult
    private static func withAddress(
        _ port: UInt16,
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) throws -> Void
    ) throws -> UInt16 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        try unsafe withUnsafeMutablePointer(to: &address) { address in
            try unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                try unsafe body(address, &length)
            }
        }
        return UInt16(bigEndian: address.sin_port)
    }
}
