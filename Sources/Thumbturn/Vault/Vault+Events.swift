import ThumbturnDevice
import ThumbturnRules

extension Vault {
    /// Does what the device's events ask for, until the task is cancelled or the device has no more to tell.
    ///
    /// An app that calls this once, in a task of its own, need not call `cover`, `enterBackground` or `enterForeground`.
    /// What can't be read at the time of an event shows at the next call.
    public func followDevice() async {
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
        publish()
    }
}
