import Glibc
import Synchronization

/// Lines on their way to standard error, written by a thread of its own: who logs never waits for who reads.
///
/// A reader that stands still costs the lines that come behind the first ten thousand, and is told how many those were.
@safe final class LogWriter: @unchecked Sendable {
    // Safe to share: the lines lie behind a mutex, and a semaphore is made for several threads.
    private struct Waiting {
        var lines: [String] = []
        var dropped = 0
        var hasEnded = false
    }

    private static let most = 10_000

    private let waiting = Mutex(Waiting())
    private let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
    private var thread = pthread_t()

    init() {
        unsafe wake.initialize(to: sem_t())
        unsafe sem_init(wake, 0, 0)
    }

    deinit { unsafe wake.deallocate() }

    /// Begins to write.
    func start() {
        let this = unsafe Unmanaged.passRetained(self)
        let result = unsafe pthread_create(
            &thread,
            nil,
            { this in
                if let this = unsafe this { unsafe Unmanaged<LogWriter>.fromOpaque(this).takeRetainedValue().run() }
                return nil
            },
            this.toOpaque()
        )
        precondition(result == 0, "no thread for the log")
    }

    /// Takes a line, without its end.
    func add(_ line: String) {
        waiting.withLock { waiting in
            guard waiting.lines.count < Self.most else { return waiting.dropped += 1 }
            waiting.lines.append(line)
        }
        unsafe sem_post(wake)
    }

    /// Writes what is left, and ends.
    func end() {
        waiting.withLock { $0.hasEnded = true }
        unsafe sem_post(wake)
        pthread_join(thread, nil)
    }

    private func run() {
        while true {
            while unsafe sem_wait(wake) != 0 {}
            let (lines, dropped, hasEnded) = waiting.withLock { waiting in
                defer { (waiting.lines, waiting.dropped) = ([], 0) }
                return (waiting.lines, waiting.dropped, waiting.hasEnded)
            }
            for line in lines { Self.write(line) }
            if dropped > 0 { Self.write(#"{"level":"warning","event":"log lines dropped","count":\#(dropped)}"#) }
            if hasEnded { return }
        }
    }

    private static func write(_ line: String) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
