import Foundation

extension Phone {
    /// Locks the screen: the app leaves, and the keys of unlocked-only items go.
    public func lockScreen() {
        enterBackground()
        if withState({ $0.setup.passcodeSet }) { post("UIApplicationProtectedDataWillBecomeUnavailable") }
        withState { $0.screenLocked = true }
    }

    /// Unlocks the screen, by finger or face where `byBiometry`, and brings the app back.
    public func unlockScreen(byBiometry: Bool = false) {
        withState { state in
            state.screenLocked = false
            state.unlockedSinceBoot = true
            if byBiometry {
                if state.setup.sensor == .touchID { state.lastTouchUnlock = state.clock.continuous }
            } else {
                state.mismatches = 0
            }
        }
        post("UIApplicationProtectedDataDidBecomeAvailable")
        enterForeground()
    }

    /// Reboots: nothing is readable before the first unlock, and the app is not running.
    public func reboot() {
        endPrompt(.systemCancel)
        withState { state in
            state.clock.continuous = 20_000_000_000
            state.clock.uptime = 20_000_000_000
            state.clock.bootSession = UUID()
            state.screenLocked = state.setup.passcodeSet
            state.unlockedSinceBoot = !state.setup.passcodeSet
            state.app = .background
            state.appLife += 1
            state.lastTouchUnlock = nil
        }
    }

    /// Starts the app behind the lock screen, before anybody unlocked it: iOS does so to be fast later.
    public func prewarm() {
        withState { state in
            state.screenLocked = true
            state.app = .background
            state.appLife += 1
        }
    }

    /// A sheet of the system covers the app; Face ID's own does too.
    public func resignActive() {
        withState { $0.app = .inactive }
        post("UIApplicationWillResignActiveNotification")
    }

    /// The sheet is gone.
    public func becomeActive() {
        withState { $0.app = .active }
        post("UIApplicationDidBecomeActiveNotification")
    }

    /// The owner goes to another app: a prompt that is up ends.
    public func enterBackground() {
        guard withState({ $0.app != .background }) else { return }
        resignActive()
        withState { $0.app = .background }
        endPrompt(.systemCancel)
        post("UIApplicationDidEnterBackgroundNotification")
    }

    /// The app comes back to the front.
    public func enterForeground() {
        guard withState({ $0.app == .background }) else { return }
        withState { $0.app = .inactive }
        post("UIApplicationWillEnterForegroundNotification")
        becomeActive()
    }

    /// The app was frozen in the background for a while.
    public func suspendAndResume() {
        enterBackground()
        suspend()
        enterForeground()
    }

    /// The app is deleted and installed again: its keychain items are still there [field].
    public func reinstallApp() {
        endPrompt(.systemCancel)
        withState { state in
            state.appLife += 1
            state.permission = .notAsked
            state.app = .active
        }
    }

    /// The device's backup comes to a new device: only items that may leave come with it, and no key of the enclave.
    public func restoredOnNewDevice(enrolled: Bool = true) -> Phone {
        let (old, rows) = withState { ($0.setup, $0.rows) }
        var setup = old
        setup.enrolled = enrolled
        let phone = Phone(setup)
        phone.withState { $0.rows = rows.filter { $0.control.protection.leavesDevice && !$0.hasAccessControl } }
        return phone
    }

    /// Whether the app can read what is only readable on an unlocked device.
    public var isProtectedDataAvailable: Bool { withState { $0.unlockedKeys } }

    /// Where the app is.
    public var appPhase: AppPhase { withState { $0.app } }

    /// Whether the keychain's daemon answers.
    public var daemonReachable: Bool {
        get { withState { $0.daemonReachable } }
        set { withState { $0.daemonReachable = newValue } }
    }

    /// Behaviours that differ between versions.
    public var quirks: Quirks {
        get { withState { $0.quirks } }
        set { withState { $0.quirks = newValue } }
    }

    /// What the phone is.
    public var setup: PhoneSetup { withState { $0.setup } }

    /// Everything that the keychain holds, whether it can be read or not.
    public var rows: [Row] { withState { $0.rows } }

    private func endPrompt(_ why: Refusal) {
        withState { $0.endPrompt(why) }
        condition.broadcast()
    }

    private func post(_ name: String) {
        NotificationCenter.default.post(name: Notification.Name(name), object: nil)
    }
}
