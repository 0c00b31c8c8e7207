internal import ThumbturnFiles

/// A queue of processes that want to write to one file: a process that has written goes to its end.
///
/// It consists of two file locks on empty files next to the database. The process that waits for the first holds the
/// second, so that none overtakes it. SQLite's own lock excludes other writers: if these files can't be created or were
/// deleted, only the order is lost.
final class ProcessLine: @unchecked Sendable {
    // Safe to send: only the thread that has its process's turn uses the locks.
    private let path: String
    private var locks: (turn: FileLock, next: FileLock)?

    init(beside path: String) { self.path = path }

    /// Waits for the turn.
    ///
    /// - Returns: whether it came in time.
    func enter(withinMilliseconds limit: Int64) -> Bool {
        do throws(FileError) {
            let locks = try opened()
            try locks.next.acquire(within: limit)
            defer { locks.next.release() }
            try locks.turn.acquire(within: limit)
            return true
        } catch {
            return error != .busy
        }
    }

    /// Passes the turn to the next process.
    func leave() { locks?.turn.release() }

    private func opened() throws(FileError) -> (turn: FileLock, next: FileLock) {
        if let locks { return locks }
        let opened = (turn: try FileLock(path + ".turn"), next: try FileLock(path + ".next"))
        locks = opened
        return opened
    }
}
