import Glibc
import Synchronization
import ThumbturnConsole
import ThumbturnFiles

/// Writes lines to standard error on its own thread, so that logging never waits for a reader.
///
/// If the reader stalls, lines beyond ten thousand are dropped, and their number is logged.
@safe final class LogWriter: @unchecked Sendable {
    // Safe to share: a mutex guards the lines, and a semaphore is for use by several threads.
    private struct Waiting {
        var lines: [String] = []
        var dropped = 0
        var hasEnded = false
    }

    private static let most = 10_000

    private let waiting = Mutex(Waiting())
    private let wake = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() {
        unsafe wake.initialize(to: sem_t())
        unsafe sem_init(wake, 0, 0)
    }

    deinit {
        unsafe sem_destroy(wake)
        unsafe wake.deallocate()
    }

    /// Starts writing; joining the thread waits for the last line.
    func start() throws(Failure) -> SystemThread {
        guard let thread = SystemThread({ self.run() }) else { throw Resources.Shortage.threads.failure }
        return thread
    }

    /// Adds a line, without its newline.
    func add(_ line: String) {
        waiting.withLock { waiting in
            if waiting.lines.count < Self.most { waiting.lines.append(line) } else { waiting.dropped += 1 }
        }
        unsafe sem_post(wake)
    }

    /// Lets the thread end after it has written the remaining lines.
    func end() {
        waiting.withLock { $0.hasEnded = true }
        unsafe sem_post(wake)
    }

    private func run() {
        while true {
            while unsafe sem_wait(wake) != 0 {}
            let now = waiting.withLock { waiting in
                let taken = waiting
                (waiting.lines, waiting.dropped) = ([], 0)
                return taken
            }
            for line in now.lines { Self.write(line) }
            if now.dropped > 0 {
                Self.write(#"{"level":"warning","event":"log lines dropped","count":\#(now.dropped)}"#)
            }
            if now.hasEnded { return }
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
