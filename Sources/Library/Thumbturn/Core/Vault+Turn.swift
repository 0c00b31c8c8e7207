import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// One call at a time: a task lock within this object, a file lock across processes. Locking the vault waits for
// neither.
extension Vault {
    /// Runs one turn on an existing vault: until `body` ends no other call or process reads or changes it.
    ///
    /// - Parameter asksSensor: whether the call needs a finger or face, so that the sensor is queried first.
    func turn<Result: ~Copyable>(
        asksSensor: Bool = false,
        _ body: () async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await turnOnFolder(asksSensor: asksSensor) { () async throws(VaultError) in
            try await lookAround()
            return try await body()
        }
    }

    /// Runs one turn whose body lends something to the app, and may throw any error.
    func lendingTurn<Result: ~Copyable>(_ body: () async throws -> Result) async throws -> Result {
        try await beginTurn(asksSensor: false)
        return try await endingTurn { () async throws -> Result in
            try await lookAround()
            return try await body()
        }
    }

    /// Runs one turn on a folder that may not contain a vault.
    func turnOnFolder<Result: ~Copyable>(
        asksSensor: Bool = false,
        _ body: () async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await beginTurn(asksSensor: asksSensor)
        return try await endingTurn(body)
    }

    private func beginTurn(asksSensor: Bool) async throws(VaultError) {
        await taskLock.enter()
        // Query before locking: a service that does not answer must not keep other processes from the PIN.
        if asksSensor { await lookAtSensor() }
        do { try await processLock.acquire() } catch {
            taskLock.leave()
            throw error
        }
        SpareRoom.release(in: folder)
        device.turns?.begin()
    }

    /// Queries the sensor; never under the process lock.
    func lookAtSensor() async { state = state.beside(await device.prompt.capability()) }

    private func endingTurn<Result: ~Copyable, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        do throws(Failure) {
            let result = try await body()
            await endTurn()
            return result
        } catch {
            // An exhausted quota shows only by a failed write; the next try has the room.
            if (error as? VaultError)?.code == .diskFull { SpareRoom.remove(in: folder) }
            await endTurn()
            throw error
        }
    }

    private func endTurn() async {
        // Run this before the next process has its turn. A lock may come while waiting, so the rest has no suspension
        // point.
        if let turns = device.turns { await turns.end() }
        writeUse()
        processLock.release()
        taskLock.leave()
    }

    /// Writes when a session that was locked in the meantime was last used.
    private func writeUse() {
        guard let used = unwrittenUse.take() else { return }
        tolerating { () throws(VaultError) in
            // A prompt released the lock, and this turn may not have got it back.
            guard try processLock.tryAcquire() else { throw VaultError(.busy) }
            try bookkeeper.date(lastUse: used, of: state.head.vault)
        }
    }
}
