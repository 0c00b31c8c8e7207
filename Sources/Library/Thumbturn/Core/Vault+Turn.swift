import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// One call at a time: in this object by a lock of tasks, across processes by one of files. Locking the vault waits for neither.
extension Vault {
    /// One turn on a vault that is there, as it is now: until `body` ends nobody else reads or changes it.
    ///
    /// - Parameter asksSensor: whether it wants a finger or face, so that the sensor is looked at first.
    func turn<Result: ~Copyable>(
        asksSensor: Bool = false,
        _ body: () async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await turnOnFolder(asksSensor: asksSensor) { () async throws(VaultError) in
            try await lookAround()
            return try await body()
        }
    }

    /// The same for a body that lends something to the app, which may throw anything.
    func lendingTurn<Result: ~Copyable>(_ body: () async throws -> Result) async throws -> Result {
        try await beginTurn(asksSensor: false)
        return try await endingTurn { () async throws -> Result in
            try await lookAround()
            return try await body()
        }
    }

    /// One turn that may find no vault.
    func turnOnFolder<Result: ~Copyable>(
        asksSensor: Bool = false,
        _ body: () async throws(VaultError) -> Result
    ) async throws(VaultError) -> Result {
        try await beginTurn(asksSensor: asksSensor)
        return try await endingTurn(body)
    }

    private func beginTurn(asksSensor: Bool) async throws(VaultError) {
        await taskLock.enter()
        // Before the lock: a service that says nothing must not keep other processes from their PIN.
        if asksSensor { await lookAtSensor() }
        do { try await processLock.acquire() } catch {
            taskLock.leave()
            throw error
        }
        SpareRoom.release(in: folder)
        device.turns?.begin()
    }

    /// Looks at the sensor; never under the lock.
    func lookAtSensor() async { state = state.beside(await device.prompt.capability()) }

    private func endingTurn<Result: ~Copyable, Failure: Error>(
        _ body: () async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        do throws(Failure) {
            let result = try await body()
            await endTurn()
            return result
        } catch {
            // A quota that is used up is told by a failure alone; the next try has the room.
            if (error as? VaultError)?.code == .diskFull { SpareRoom.remove(in: folder) }
            await endTurn()
            throw error
        }
    }

    private func endTurn() async {
        // Before the next process has its turn. A lock may come meanwhile, so the rest is done in one go.
        if let turns = device.turns { await turns.end() }
        writeUse()
        processLock.release()
        taskLock.leave()
    }

    /// Writes when the session that was locked meanwhile was last in use.
    private func writeUse() {
        guard let used = unwrittenUse.take() else { return }
        tolerating { () throws(VaultError) in
            // A prompt let go of the lock, and it may not have come back.
            guard try processLock.tryAcquire() else { throw VaultError(.busy) }
            try bookkeeper.date(lastUse: used, of: state.head.vault)
        }
    }
}
