import Foundation
import ThumbturnJSON

#if canImport(Glibc)
import Glibc
#endif

/// An answer as it came over the wire.
struct Answered {
    var status = 0
    var headers: [String: String] = [:]
    var body: [UInt8] = []

    var json: JSON? { try? JSON(reading: body, byteLimit: 4 << 20) }
    var text: String { String(decoding: body, as: UTF8.self) }
    /// What a problem document calls the problem.
    var code: String? { json?["code"]?.text }

    init(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let end = text.range(of: "\r\n\r\n") else { return }
        let lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        body = Array(text[end.upperBound...].utf8)
    }
}

/// One connection for one request; whoever reads waits for the answer.
final class Connection {
    private let socket: Int32

    init(port: UInt16) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(socket, $0, size) }
        }
        guard result == 0 else { throw POSIXError(.ECONNREFUSED) }
    }

    deinit { close(socket) }

    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.send(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Says that nothing more comes.
    func endSending() { shutdown(socket, Int32(SHUT_WR)) }

    /// Reads the answer to a request that asked the server to close.
    func receive() -> Answered {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(socket, &chunk, chunk.count)
            guard count > 0 else { return Answered(bytes) }
            bytes += chunk[..<count]
        }
    }
}

extension JSON {
    var text: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    var number: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    var isTrue: Bool {
        guard case .bool(let value) = self else { return false }
        return value
    }

    var isNull: Bool {
        guard case .null = self else { return false }
        return true
    }

    var elements: [JSON] {
        guard case .array(let elements) = self else { return [] }
        return elements
    }

    /// Returns a value in objects within each other; nil where there is none.
    func at(_ path: String) -> JSON? {
        path.split(separator: ".").reduce(Optional(self)) { $0?[String($1)] }
    }
}
