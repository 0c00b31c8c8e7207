import ThumbturnBase
import ThumbturnDevice
import ThumbturnRules

/// The right to read and change a vault, which only its holder of the process lock has.
///
/// What needs the lock takes a turn: `borrowing`, it keeps other processes out until it returns; `inout`, it may let
/// them in while a prompt is shown, and what was read before no longer counts.
struct Turn: ~Copyable, Sendable {
    private let lock: ProcessLock

    fileprivate init(_ lock: ProcessLock) async throws(VaultError) {
        self.lock = lock
        try await lock.acquire()
    }

    /// Lets other processes in.
    mutating func pause() { lock.release() }

    /// Waits for the lock again.
    ///
    /// - Throws: `.busy`; then the turn is over, and its call fails.
    mutating func resume() async throws(VaultError) { try await lock.acquire() }

    /// Whether the turn has the lock, or could take it now.
    fileprivate func isLasting() throws(VaultError) -> Bool { try lock.tryAcquire() }

    fileprivate consuming func end() { lock.release() }
}

// One call at a time: a task lock within this object, a file lock across processes. Locking the vault waits for
// neither.
extension Vault {
    /// Runs one turn on a folder that may not contain a vault.
    func turnOnFolder<Result: ~Copyable>(
        asksSensor: Bool = false,
        _ body: (inout Turn) async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        var turn = try await beginTurn(asksSensor: asksSensor)
        do throws(VaultError) {
            let result = try await body(&turn)
            await end(turn)
            return result
        } catch {
            await end(turn, after: error)
            throw error
        }
    }

    /// Starts a turn.
    ///
    /// - Parameter asksSensor: whether the call needs a finger or face, so that the sensor is queried first.
    func beginTurn(asksSensor: Bool) async throws(VaultError) -> Turn {
        await taskLock.enter()
        // Query before locking: a service that does not answer must not keep other processes from the PIN.
        if asksSensor { await lookAtSensor() }
        do throws(VaultError) {
            let turn = try await Turn(processLock)
            SpareRoom.release(in: folder)
            device.turns?.begin()
            return turn
        } catch {
            taskLock.leave()
            throw error
        }
    }

    /// Queries the sensor; never under the process lock.
    func lookAtSensor() async { state = state.sensing(await device.prompt.capability()) }

    /// Ends a turn.
    ///
    /// - Parameter failure: why the call failed.
    func end(_ turn: consuming Turn, after failure: (any Error)? = nil) async {
        // An exhausted quota shows only by a failed write; the next try has the room.
        if (failure as? VaultError)?.code == .diskFull { SpareRoom.remove(in: folder) }
        // Run this before the next process has its turn. A lock may come while waiting, so the rest has no suspension
        // point.
        if let turns = device.turns { await turns.end() }
        writeUse(in: turn)
        turn.end()
        taskLock.leave()
    }

    /// Writes when a session that was locked in the meantime was last used.
    private func writeUse(in turn: borrowing Turn) {
        guard let used = unwrittenUse.take() else { return }
        tolerating { () throws(VaultError) in
            // A prompt paused the turn, and the lock may be another process's since.
            guard try turn.isLasting() else { throw VaultError(.busy) }
            try bookkeeper.date(lastUse: used, of: state.head.vault)
        }
    }
}
