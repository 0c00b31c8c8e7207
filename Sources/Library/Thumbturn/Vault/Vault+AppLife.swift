import ThumbturnDevice
import ThumbturnRules

// Where the app and the device stand, as far as it concerns the vault.
extension Vault {
    /// Tells the vault that the app is in the foreground again; capability and enrolment are looked at anew (B-01).
    ///
    /// A session that was idle for too long locks before the cover falls.
    ///
    /// - Throws: why vault or device could not be looked at; the cover has fallen all the same.
    public func enterForeground() async throws(VaultError) {
        try await comeBack(since: uncover())
    }

    /// The same for a caller that can do nothing about it: why vault or device could not be looked at goes to the app's log.
    package func returnToForeground() async {
        await tolerating { () async throws(VaultError) in try await enterForeground() }
    }

    /// The same for an account's vault, whose service is asked whether all is as it was.
    ///
    /// Where it was silent for too long its word comes before the look that would end the finger's right (F-107-09); else
    /// nobody waits for it.
    package func returnToForeground(asking service: @Sendable () async -> (ServerWord, VaultAccount)?) async {
        let covers = coverCount
        let isLate = known.head.policy.isUnheard(known.context(at: now))
        let early = isLate ? await service() : nil
        // A cover that came during the wait is not this call's to lift (A37).
        let used = covers == coverCount ? uncover() : nil
        await tolerating { () async throws(VaultError) in try await comeBack(since: used, hearing: early) }
        guard !isLate, let (word, account) = await service() else { return }
        await tolerating { () async throws(VaultError) in try await hear(word, of: account) }
    }

    /// Writes down what `uncover` found, and looks at the device.
    private func comeBack(since used: ClockReading?, hearing word: (ServerWord, VaultAccount)? = nil)
        async throws(VaultError)
    {
        await remember(used)
        try await turnOnFolder(asksSensor: true) { () async throws(VaultError) in
            try await lookAround(hearing: word)
            publish()
        }
    }

    /// Does what the device's events ask for, until the task is cancelled or the device has no more to tell.
    ///
    /// An app that calls this once, in a task of its own, need not call `cover`, `enterBackground` or `enterForeground`.
    /// What can't be read at the time of an event shows at the next call.
    public func followDevice() async { await followDevice(asking: nil) }

    /// The same for an account's vault.
    package func followDevice(asking service: (@Sendable () async -> (ServerWord, VaultAccount)?)?) async {
        // Each waits for the one before.
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
            // What may wait for a call that is under way must not hold up the events behind it.
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

    /// Covers the screen at once and locks nothing: the app is about to be photographed for the app switcher (A37).
    ///
    /// The system's own prompt takes the screen too, so this waits for no call that is under way.
    public func cover() {
        isCovered = true
        coverCount &+= 1
        publish()
    }
}
