import Glibc
import ThumbturnConsole

extension ListenAddress {
    /// Returns the address with a free port in place of 0: devices sign the port, so it must be known before the first
    /// answer.
    func withPort() throws(Failure) -> ListenAddress {
        guard port == 0 else { return self }
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let found = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, size) == 0 && getsockname(listener, address, &size) == 0
            }
        }
        guard found else {
            throw Failure(errno: errno, Words("no port is free", "aucun port n'est libre"))
        }
        return ListenAddress(host: host, port: UInt16(bigEndian: address.sin_port))
    }
}
