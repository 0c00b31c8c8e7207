import Glibc
import ThumbturnConsole
import ThumbturnFiles

/// Writes lines to standard error on its own thread, so that logging never waits for a reader.
///
/// If the reader stalls, lines beyond ten thousand are dropped, and their number is logged.
final class LogWriter: Sendable {
    private struct Waiting {
        var lines: [String] = []
        var dropped = 0
        var hasEnded = false

        /// Takes the lines; `nil` while there is nothing to do.
        mutating func take() -> Waiting? {
            guard hasEnded || !lines.isEmpty else { return nil }
            let taken = self
            (lines, dropped) = ([], 0)
            return taken
        }
    }

    private static let most = 10_000

    private let waiting = Monitor(Waiting())

    /// Starts writing; joining the thread waits for the last line.
    func start() throws(Failure) -> SystemThread {
        guard let thread = SystemThread({ self.run() }) else { throw Resources.Shortage.threads.failure }
        return thread
    }

    /// Adds a line, without its newline.
    func add(_ line: String) {
        waiting.change { waiting in
            if waiting.lines.count < Self.most { waiting.lines.append(line) } else { waiting.dropped += 1 }
        }
    }

    /// Lets the thread end after it has written the remaining lines.
    func end() { waiting.change { $0.hasEnded = true } }

    private func run() {
        // It has no deadline, so it always has something.
        while let now = waiting.wait({ $0.take() }) {
            var lines = now.lines
            if now.dropped > 0 {
                lines.append(#"{"level":"warning","event":"log lines dropped","count":\#(now.dropped)}"#)
            }
            Self.write(lines)
            if now.hasEnded { return }
        }
    }

    /// Writes lines, several with one call.
    ///
    /// What is no longer than 4 KiB comes through a pipe in one piece, also beside what other processes write.
    private static func write(_ lines: [String]) {
        var piece: [UInt8] = []
        for line in lines {
            if piece.count + line.utf8.count >= 4_096 { write(&piece) }
            piece += line.utf8
            piece.append(UInt8(ascii: "\n"))
        }
        write(&piece)
    }

    private static func write(_ piece: inout [UInt8]) {
        var rest = piece[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        piece.removeAll(keepingCapacity: true)
    }
}
