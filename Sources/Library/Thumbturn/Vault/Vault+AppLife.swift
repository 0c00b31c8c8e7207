import ThumbturnDevice
import ThumbturnRules

// Changes of app and device state that concern the vault.
extension Vault {
    /// Tells the vault that the app is in the foreground again; checks capability and enrolment again (B-01).
    ///
    /// A session that was idle for too long locks before the cover is lifted.
    ///
    /// - Throws: why vault or device could not be read; the cover is lifted even then.
    public func enterForeground() async throws(VaultError) { try await comeBack(since: uncover()) }

    /// Does the same, and reports a failure to read vault or device to the app's log.
    package func returnToForeground() async {
        await tolerating { () async throws(VaultError) in try await enterForeground() }
    }

    /// Does the same for an account's vault, whose service is asked whether anything changed.
    ///
    /// If the service was silent for too long, its answer is awaited before the look that would otherwise revoke
    /// biometrics (F-107-09); if not, the look does not wait for it.
    package func returnToForeground(asking service: @Sendable () async -> AccountAnswer?) async {
        let covers = coverCount
        let isLate = known.head.policy.isUnheard(known.context(at: now))
        let early = isLate ? await service() : nil
        // A cover set while waiting is not this call's to lift (A37).
        let used = covers == coverCount ? uncover() : nil
        await tolerating { () async throws(VaultError) in try await comeBack(since: used, hearing: early) }
        guard !isLate, let answer = await service() else { return }
        await tolerating { () async throws(VaultError) in try await accept(answer.answer, of: answer.account) }
    }

    /// Writes the last use that `uncover` returned, and looks at the device.
    private func comeBack(since used: ClockReading?, hearing answer: AccountAnswer? = nil) async throws(VaultError) {
        await remember(used)
        try await turnOnFolder(asksSensor: true) { (turn) async throws(VaultError) in
            try await lookAround(hearing: answer, in: turn)
            publish()
        }
    }

    /// Handles the device's events, until the task is cancelled or the device sends no more.
    ///
    /// An app that calls this once, in its own task, need not call `cover`, `enterBackground` or `enterForeground`. A
    /// failure to read at the time of an event shows at the next call.
    public func followDevice() async { await followDevice(asking: nil) }

    /// Does the same for an account's vault.
    package func followDevice(asking service: (@Sendable () async -> AccountAnswer?)?) async {
        // Each task waits for the previous one.
        var looking: Task<Void, Never>?
        func later(_ body: @escaping @Sendable () async -> Void) {
            looking = Task { [before = looking] in
                await before?.value
                await body()
            }
        }
        for await event in device.events() {
            switch event {
            case .becameInactive: cover()
            // Work that may wait for a call in progress must not hold up later events.
            case .enteredBackground:
                let used = moveToBackground()
                later { await self.rememberInTurn(used) }
            case .becameActive:
                if let service {
                    later { await self.returnToForeground(asking: service) }
                    continue
                }
                let used = uncover()
                later {
                    await self.tolerating { () async throws(VaultError) in try await self.comeBack(since: used) }
                }
            case .protectedDataLeaving, .suspending: await lock()
            case .biometryChanged:
                later {
                    await self.tolerating { () async throws(VaultError) in _ = try await self.refresh() }
                }
            }
        }
        await looking?.value
    }

    /// Covers the screen at once without locking: the system is about to take a snapshot for the app switcher (A37).
    ///
    /// The system's own prompt also covers the screen, so this does not wait for a call in progress.
    public func cover() {
        isCovered = true
        coverCount &+= 1
        publish()
    }
}
