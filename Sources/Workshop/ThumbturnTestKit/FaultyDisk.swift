internal import CSQLite
import ThumbturnCrypto
import ThumbturnSQLite

/// A disk that stops, fails, fills up or loses power at a chosen operation.
///
/// It is a SQLite VFS over the system's. It counts every call on which durability depends: write, sync, truncate,
/// delete, and open of a file that may have to be created. It records what each file would lose in a power failure;
/// nothing is really synced, which makes thousands of stops cheap. Other stores can join its numbering
/// (`countForeignOperation`), so that one armed stop can fall between any two steps of a whole system.
///
/// To explore every stop: arm, work, close the connections, `settle()`, reopen, check; until `didStop` is false.
@safe package final class FaultyDisk: @unchecked Sendable {
    // Safe to send: every stored property is constant or guarded by `lock`.

    /// The fault, and the operation where it occurs, counted from 1 since `arm`.
    package enum Stop: Hashable, Sendable {
        /// The process dies: this operation and all later ones fail; earlier writes stay.
        case kill(at: Int)
        /// Like `kill`; then `settle()` simulates the power failure.
        case powerLoss(at: Int, keeping: UnsyncedFate)
        /// This operation fails without effect; later ones succeed.
        case fail(at: Int)
        /// This operation takes effect but reports failure; later ones succeed.
        case failAfterEffect(at: Int)
        /// From this operation on the disk accepts no more writes.
        case full(from: Int)
    }

    /// What another component in the numbering has to do with its operation.
    package enum FaultAction: Hashable, Sendable {
        case proceed
        /// Report failure without effect.
        case fail
        /// Take effect, then report failure.
        case failAfterEffect
        /// The process is dead: no effect, from now on.
        case dead
    }

    /// The VFS name for opening databases.
    package let vfsName: String

    let base: UnsafeMutablePointer<sqlite3_vfs>
    var methods: UnsafePointer<sqlite3_io_methods>?
    private let lock = Lock()
    /// What keeps the disk in SQLite's list of VFSs.
    private var registration: AnyObject?
    private var stop: Stop?
    private var count = 0
    private var stopped = false
    private var syncsAreLies = false
    private var listener: ((String) -> Void)?
    private var unsynced: [String: UnsyncedChanges] = [:]

    package init() {
        // Wrap the VFS that a vault uses, so that the faults hit that.
        guard let base = unsafe sqlite3_vfs_find(LogKeepingFiles.name) else { preconditionFailure("SQLite has no VFS") }
        unsafe self.base = base
        vfsName = "faulty-\(UInt64.random(in: 0 ... .max))"
        registration = register()
    }

    deinit { registration = nil }

    /// The number of operations since `arm` or `resetOperationCount`.
    package var operationCount: Int { locked { count } }

    /// Whether the armed stop has been reached.
    package var didStop: Bool { locked { stopped } }

    /// Called before each operation with its name, such as `write vault.db-wal`.
    package var onOperation: ((String) -> Void)? {
        get { locked { listener } }
        set { locked { listener = newValue } }
    }

    /// Makes every sync succeed without effect, like drives with a cheating cache.
    package var ignoresSync: Bool {
        get { locked { syncsAreLies } }
        set { locked { syncsAreLies = newValue } }
    }

    /// Restarts counting from 0, towards `stop`; the present contents of files count as synced.
    package func arm(_ stop: Stop) {
        locked {
            self.stop = stop
            unsynced = [:]
            count = 0
            stopped = false
        }
    }

    /// Ends the faults; unsynced changes stay unsynced.
    package func disarm() { locked { stop = nil } }

    /// Restarts counting from 0.
    package func resetOperationCount() { locked { count = 0 } }

    /// Ends an armed stop once all connections are closed; afterwards the disk works again.
    ///
    /// After `powerLoss`, even if its operation was not reached, each file gets the contents and existence that its
    /// fate leaves.
    package func settle() {
        locked {
            if case .powerLoss(_, let fate) = stop {
                for (index, path) in unsynced.keys.sorted().enumerated() {
                    unsynced[path]?.losePower(at: path, keeping: fate, salt: UInt64(index))
                }
                unsynced = [:]
            }
            stop = nil
        }
    }

    /// Counts an operation of another component, and returns what it has to do.
    ///
    /// - Parameter name: only evaluated if there is a listener.
    package func countForeignOperation(_ name: @autoclosure () -> String) -> FaultAction {
        if let listener = onOperation { listener(name()) }
        return locked { countOperation(isWrite: false) }
    }

    /// Makes the process die now, if it is alive.
    ///
    /// Closing the connections then writes nothing, and an armed power failure still happens in `settle`.
    package func die() {
        locked {
            if case .powerLoss(_, let fate) = stop {
                stop = .powerLoss(at: 0, keeping: fate)
            } else {
                stop = .kill(at: 0)
            }
            stopped = true
        }
    }

    // MARK: For the VFS

    /// Counts an operation, and performs it or not.
    ///
    /// - Parameters:
    ///   - name: only evaluated if there is a listener.
    ///   - code: SQLite's result code for a failure of this operation.
    ///   - effect: performs the operation; called with the lock held.
    func perform(
        _ name: @autoclosure () -> String,
        isWrite: Bool = false,
        failingWith code: Int32,
        _ effect: () -> Int32
    ) -> Int32 {
        if let listener = onOperation { listener(name()) }
        return locked {
            switch countOperation(isWrite: isWrite) {
            case .proceed:
                return effect()
            case .failAfterEffect:
                let result = effect()
                return result == SQLITE_OK ? code : result
            case .fail, .dead:
                if case .full = stop { return SQLITE_FULL }
                return code
            }
        }
    }

    /// Whether the process that uses the disk is dead.
    var isDead: Bool {
        locked {
            switch stop {
            case .kill, .powerLoss: stopped
            case .fail, .failAfterEffect, .full, nil: false
            }
        }
    }

    /// Records, inside `perform`, how the file at `path` is about to change.
    func remember(_ change: UnsyncedChanges.Change, at path: String) {
        unsynced[path, default: UnsyncedChanges()].append(change)
    }

    /// Records, inside `perform`, that the file at `path` and its name are on disk.
    func rememberSync(of path: String) {
        guard !syncsAreLies else { return }
        unsynced[path] = nil
    }

    /// Records, inside `perform`, that the folder of `path` is on disk: which files exist, not their contents.
    func rememberFolderSync(of path: String) {
        guard !syncsAreLies else { return }
        let folder = path.prefix(through: path.lastIndex(of: "/") ?? path.startIndex)
        for file in unsynced.keys where file.hasPrefix(folder) { unsynced[file]?.keepNames() }
    }

    private func countOperation(isWrite: Bool) -> FaultAction {
        count += 1
        switch stop {
        case .kill(let number) where count >= number, .powerLoss(let number, _) where count >= number:
            stopped = true
            return .dead
        case .fail(let number) where count == number:
            stopped = true
            return .fail
        case .failAfterEffect(let number) where count == number:
            stopped = true
            return .failAfterEffect
        case .full(let number) where isWrite && count >= number:
            stopped = true
            return .fail
        case .kill, .powerLoss, .fail, .failAfterEffect, .full, nil:
            return .proceed
        }
    }

    private func locked<Result>(_ body: () -> Result) -> Result { lock.withLock(body) }
}
