internal import ThumbturnFiles

/// The line in which processes wait to write to one file: a process that has written goes behind those that wait.
///
/// Two locks of the system, on empty files beside the database. The process that waits for the first holds the second, so none
/// passes it. What keeps writers apart is SQLite's own lock: where these files can't be made or were deleted, nothing is lost
/// but the order.
final class ProcessLine: @unchecked Sendable {
    // Safe to send: the locks are only touched by the thread that has its process's turn.
    private let path: String
    private var locks: (turn: FileLock, next: FileLock)?

    init(beside path: String) {
        self.path = path
    }

    /// Waits for the turn.
    ///
    /// - Returns: whether it came within the time.
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

    /// Lets the next have it.
    func leave() { locks?.turn.release() }

    private func opened() throws(FileError) -> (turn: FileLock, next: FileLock) {
        if let locks { return locks }
        let opened = (turn: try FileLock(path + ".turn"), next: try FileLock(path + ".next"))
        locks = opened
        return opened
    }
}
