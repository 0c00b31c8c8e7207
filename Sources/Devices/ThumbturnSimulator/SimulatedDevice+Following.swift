import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnFiles
import ThumbturnRules

// What follows a device while it runs: screens, vaults, and prompts that wait.
extension SimulatedDevice {
    /// What can be seen of the device now; of a folder that can't be read, what was last seen.
    public var snapshot: SimulatedSnapshot {
        look()
        return lock.withLock { state.snapshot(prompts.first?.prompt, at: host) }
    }

    /// Streams what can be seen of the device, now and at every change; a clock that only runs is no change.
    ///
    /// A slow reader misses what is no longer so. Other processes' changes to a folder are seen within 250 ms.
    public func snapshots() -> AsyncStream<SimulatedSnapshot> {
        let (stream, line) = AsyncStream.makeStream(of: SimulatedSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        follow(.snapshots(line))
        return stream
    }

    /// Streams the device's events from now on.
    ///
    /// What another process does to a folder and undoes within 250 ms may not be told.
    func events() -> AsyncStream<DeviceEvent> {
        let (stream, line) = AsyncStream.makeStream(of: DeviceEvent.self)
        follow(.events(line))
        return stream
    }

    /// Keeps a prompt up until a touch answers it, the system takes it away, or its task ends.
    ///
    /// - Parameter body: what the recognised owner gets, in the same step as the recognition.
    func answered<R>(
        _ prompt: SimulatedPrompt,
        _ body: (inout SimulatedState) throws(DeviceRefusal) -> R
    ) async throws(DeviceRefusal) -> R {
        let number = show(prompt)
        defer { dismiss(number) }
        let (changes, line) = AsyncStream.makeStream(of: SimulatedSnapshot.self, bufferingPolicy: .bufferingNewest(1))
        defer { line.finish() }
        follow(.snapshots(line))
        let timer = promptLimit.map { limit in
            Task {
                try? await Task.sleep(nanoseconds: UInt64(limit.count) * 1_000_000)
                line.finish()
            }
        }
        defer { timer?.cancel() }
        for await _ in changes {
            if Task.isCancelled { break }
            let result = try transaction { state throws(DeviceRefusal) in
                try isAnswered(number, in: &state) ? try body(&state) : nil
            }
            if let result { return result }
        }
        throw .cancelledBySystem
    }

    private func show(_ prompt: SimulatedPrompt) -> UInt64 {
        lock.withLock {
            lastPrompt += 1
            prompts.append((lastPrompt, prompt))
            tell()
            return lastPrompt
        }
    }

    private func dismiss(_ number: UInt64) {
        lock.withLock {
            prompts.removeAll { $0.number == number }
            tell()
        }
    }

    /// Whether a prompt has its answer; under the lock.
    ///
    /// Of several prompts, a touch is for the one that came up first.
    private func isAnswered(_ number: UInt64, in state: inout SimulatedState) throws(DeviceRefusal) -> Bool {
        guard let index = prompts.firstIndex(where: { $0.number == number }) else { throw .cancelledBySystem }
        return try state.answer(&prompts[index].prompt, takesTouches: index == 0)
    }

    private func follow(_ listener: Audience.Listener) {
        look()
        lock.withLock {
            let prompt = prompts.first?.prompt
            audience.add(listener, at: state.snapshot(prompt, at: .still), watching: watchFolder)
            if case .snapshots(let line) = listener { line.yield(state.snapshot(prompt, at: host)) }
        }
    }

    /// Reads what other processes changed in the folder, without waiting for their lock, and tells it.
    private func look() {
        guard let folder else { return }
        lock.withLock {
            guard let stored = try? folder.load() else { return }
            state = stored.state.inProcess(of: state)
            tell()
        }
    }

    /// Looks at the folder four times a second: a look costs some microseconds, and no system call tells portably of
    /// another process's write.
    private func watchFolder() -> Task<Void, Never>? {
        guard let folder else { return nil }
        return Task { [weak self] in
            var seen: FileStatus?
            while !Task.isCancelled, self != nil {
                let now = folder.status
                if let now, let seen, now.isSameFile(as: seen), now.isUnchanged(since: seen) {
                    // Nothing was written.
                } else {
                    self?.look()
                }
                seen = now
                try? await Task.sleep(nanoseconds: 250_000_000)
            }
        }
    }
}
