import CTLS
import Glibc

/// Clients that are connected at the same time, each from an address of its own, and send their requests in order.
///
/// One thread has all connections. A client sends nothing while it waits for an answer.
@safe final class LoopbackClients {
    private struct Client {
        var descriptor: Int32 = -1
        /// What is still to be sent.
        var requests: ArraySlice<[UInt8]> = []
        /// What came of an answer that is not whole.
        var answer: [UInt8] = []
        /// When the request was due that waits for its answer.
        var due = 0.0
    }

    private let port: UInt16
    private let firstHost: UInt32
    private var clients: [Client]
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 512)

    /// - Parameter firstHost: where their addresses begin in 127.0.0.0/8.
    init(_ count: Int, of port: UInt16, from firstHost: UInt32 = 256) {
        (self.port, self.firstHost) = (port, firstHost)
        clients = Array(repeating: Client(), count: count)
        var limit = rlimit()
        _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// The number of requests that a client has still to send.
    func left(of client: Int) -> Int { clients[client].requests.count }

    func add(_ requests: [[UInt8]], to client: Int) { clients[client].requests += requests }

    /// Sends so many requests, each client its next one once the last is answered.
    ///
    /// - Parameter most: how many clients wait for an answer at a time.
    /// - Returns: the seconds until all were answered.
    func send(_ count: Int, atOnce most: Int = .max) throws -> Double {
        try connected { epoll in
            var (idle, sent, answered) = (ready, 0, 0)
            return try timed {
                while answered < count {
                    while sent < count, sent - answered < most, let place = idle.popFirst() {
                        try ask(place, due: 0)
                        sent += 1
                    }
                    guard sent > answered else { throw BenchError(what: "too few requests were made beforehand") }
                    let places = try answers(epoll, milliseconds: -1)
                    answered += places.count
                    idle += places.filter { !clients[$0].requests.isEmpty }
                }
            }
        }
    }

    /// Sends so many requests a second, whether or not those before are answered, for as long as it may.
    ///
    /// - Parameter goesOn: asked before each request, with its number.
    /// - Returns: the seconds from when each was due to its answer.
    func send(perSecond rate: Double, while goesOn: (Int) -> Bool) throws -> [Double] {
        try connected { epoll in
            let start = monotonicSeconds()
            var (idle, waits, sent, isOn) = (ready, [Double](), 0, true)
            while isOn || waits.count < sent {
                while case let due = start + Double(sent) / rate, isOn, due <= monotonicSeconds(), !idle.isEmpty {
                    isOn = goesOn(sent)
                    guard isOn, let place = idle.popFirst() else { break }
                    try ask(place, due: due)
                    sent += 1
                }
                for place in try answers(epoll, milliseconds: 1) {
                    waits.append(monotonicSeconds() - clients[place].due)
                    if !clients[place].requests.isEmpty { idle.append(place) }
                }
                guard !isOn || !idle.isEmpty || sent > waits.count else {
                    throw BenchError(what: "too few requests were made beforehand")
                }
            }
            return waits
        }
    }
}

extension LoopbackClients {
    private var ready: ArraySlice<Int> { clients.indices.filter { !clients[$0].requests.isEmpty }[...] }

    private func connected<Result>(_ body: (Int32) throws -> Result) throws -> Result {
        let epoll = tls_epoll_create()
        defer {
            for place in clients.indices {
                close(clients[place].descriptor)
                clients[place].descriptor = -1
            }
            close(epoll)
        }
        for place in clients.indices {
            let descriptor = try LoopbackConnection.open(to: port, from: firstHost + UInt32(place))
            clients[place].descriptor = descriptor
            guard tls_epoll_add_level(epoll, descriptor, UInt64(place)) == 0 else { throw BenchError(what: "epoll") }
        }
        return try body(epoll)
    }

    private func ask(_ place: Int, due: Double) throws {
        guard let request = clients[place].requests.popFirst() else { return }
        clients[place].due = due
        guard unsafe Glibc.send(clients[place].descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
        else { throw BenchError(what: "the service hung up") }
    }

    /// Waits for answers.
    ///
    /// - Returns: the clients whose answer is whole.
    private func answers(_ epoll: Int32, milliseconds: Int32) throws -> [Int] {
        let count = unsafe epoll_wait(epoll, &events, Int32(events.count), milliseconds)
        return try (0..<max(0, Int(count))).compactMap { index in
            let place = unsafe Int(tls_event_token(&events[index]))
            return try readOn(place) ? place : nil
        }
    }

    private func readOn(_ place: Int) throws -> Bool {
        let count = unsafe recv(clients[place].descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        guard count > 0 else { throw BenchError(what: "the service hung up") }
        clients[place].answer += buffer[..<count]
        guard try Self.isWhole(clients[place].answer) else { return false }
        clients[place].answer.removeAll(keepingCapacity: true)
        return true
    }

    private static let length = Array("Content-Length: ".utf8)
    private static let headEnd = Array("\r\n\r\n".utf8)

    /// - Throws: for an answer that is not 200.
    private static func isWhole(_ answer: [UInt8]) throws -> Bool {
        guard let end = place(of: headEnd, in: answer), let start = place(of: length, in: answer) else { return false }
        guard answer[9..<12].elementsEqual("200".utf8) else {
            throw BenchError(what: "the service refused: \(String(decoding: answer, as: UTF8.self))")
        }
        let digits = answer[(start + length.count)...].prefix { 0x30...0x39 ~= $0 }
        return answer.count == end + headEnd.count + digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }
    }

    private static func place(of word: [UInt8], in text: [UInt8]) -> Int? {
        unsafe text.withUnsafeBufferPointer { text in
            for start in 0..<max(0, text.count - word.count + 1) where unsafe text[start] == word[0] {
                guard unsafe text[start..<start + word.count].elementsEqual(word) else { continue }
                return start
            }
            return nil
        }
    }
}
