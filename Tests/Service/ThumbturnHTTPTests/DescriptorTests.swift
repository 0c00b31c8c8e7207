import Glibc
import Synchronization
import Testing

@testable import ThumbturnHTTP

struct DescriptorTests {
    @Test(.holds("SVC-6")) func `without descriptors the server waits without spinning, and then serves who waited`()
        async
    {
        // In a process of its own, because the limit is the whole process's.
        await #expect(processExitsWith: .success) {
            let pauses = Atomic<Int>(0)
            let server = try TestServer(log: { event in
                if case .acceptPaused(let number) = event, number == EMFILE { pauses.add(1, ordering: .relaxed) }
            })
            let port = server.server.port
            let first = try TestClient(port: port)
            first.send("GET /hello/a HTTP/1.1\nHost: a\n\n")
            try #require(first.answer()?.status == 200)
            // 20 more fit on the clients' side and 3 on the server's.
            let sockets = (0..<20).map { _ in socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0) }
            let room = try #require(sockets.max()) + 1
            var limit = rlimit(rlim_cur: rlim_t(room + 3), rlim_max: rlim_t(room + 3))
            try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var clients = try sockets.map { try TestClient(port: port, over: $0) }
            for client in clients { client.send("GET /hello/a HTTP/1.1\nHost: a\nConnection: close\n\n") }
            waitUntil { pauses.load(ordering: .relaxed) > 0 }
            let (start, used) = (ContinuousClock.now, processorTime())
            usleep(500_000)
            try #require(processorTime() - used < .milliseconds(200), "it spins")
            // One pause in a tenth of a second, however long this took on a busy machine.
            let (count, span) = (pauses.load(ordering: .relaxed), ContinuousClock.now - start)
            try #require(Double(count) <= 5 + span / .milliseconds(100), "\(count) pauses in \(span)")
            var answers = 0
            while !clients.isEmpty {
                answers += clients.removeFirst().answer()?.status == 200 ? 1 : 0
            }
            try #require(answers == 20)
        }
    }
}

/// How long this process has kept a processor busy.
private func processorTime() -> Duration {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    return .seconds(seconds) + .microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
}
