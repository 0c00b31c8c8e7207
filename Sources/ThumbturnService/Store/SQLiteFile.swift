internal import Glibc

/// A database of SQLite: its file, in a folder for this user alone, and the turn that this process's connections take to write.
///
/// SQLite lets who waits look again after ever longer naps, which leaves the file idle while threads wait; so those of one
/// process take turns before they ask it.
package final class SQLiteFile: Sendable {
    let path: String
    private let turn = WriteTurn()

    package init(_ path: String) {
        self.path = path
    }

    /// Waits for the turn.
    ///
    /// - Throws: `.busy` when others keep it for 5 s.
    func takeTurn() throws(StoreError) { guard turn.lock(withinSeconds: 5) else { throw .busy } }

    func endTurn() { turn.unlock() }
}

/// A lock that can be waited for with a limit.
@safe private final class WriteTurn: @unchecked Sendable {
    // Safe to send: a mutex is made for several threads, and its memory is this object's alone.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init() {
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    func lock(withinSeconds seconds: Int) -> Bool {
        var end = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += seconds
        return unsafe pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &end) == 0
    }

    func unlock() { _ = unsafe pthread_mutex_unlock(mutex) }
}
