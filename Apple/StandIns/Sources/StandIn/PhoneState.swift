import Foundation

/// All that a phone remembers.
struct PhoneState {
    var setup: PhoneSetup

    // Who owns it
    /// Names the enrolled set; a new number for every change, nil when nobody is enrolled.
    var enrolment: Int?
    var lastEnrolment = 1
    /// Counts resets of Face ID that were backed out of.
    var biometryResets = 0
    var permission = Permission.allowed
    /// Failed tries since the last success, of all apps together.
    var mismatches = 0

    // Where it is in its life
    var screenLocked = false
    var unlockedSinceBoot = true
    var app = AppPhase.active
    var lastTouchUnlock: Int64?
    /// Counts what makes every evaluated context useless: the app was suspended or ended.
    var appLife = 0
    var kills: [String] = []
    /// What keeps the app running in the background, by number.
    var activities: [Int: Phone.Activity] = [:]
    var activityCount = 0

    // What the owner does
    var answers: [Answer] = []
    var habit = Answer.agrees
    var prompts: [Prompt] = []
    var showing: ShownPrompt?
    var promptCount = 0
    /// Prompts that were taken away while their caller still waits.
    var endedPrompts: [Int: Refusal] = [:]
    /// How many prompts wait for an owner who does nothing.
    var hesitating = 0

    // What it keeps
    var rows: [Row] = []
    var enclaveKeys: [Data: EnclaveKey] = [:]
    var daemonReachable = true

    var clock = PhoneClock()
    var quirks = Quirks()
    var calls: [Call] = []
    var faults: [Fault] = []
    var interludes: [Call: @Sendable () -> Void] = [:]

    init(_ setup: PhoneSetup) {
        self.setup = setup
        enrolment = setup.enrolled && setup.sensor != .none ? 1 : nil
    }

    /// Too many failures; only the passcode helps (doc).
    var lockedOut: Bool { mismatches >= 5 }

    /// Whether keys of items that are only readable on an unlocked device are there.
    var unlockedKeys: Bool { unlockedSinceBoot && (!screenLocked || !setup.passcodeSet) }

    /// A device without a passcode has no first unlock to wait for.
    var firstUnlockKeys: Bool { unlockedSinceBoot || !setup.passcodeSet }

    /// Takes away the prompt that is up, unless something else ended it before.
    mutating func endPrompt(_ why: Refusal) {
        if showing?.end == nil { showing?.end = why }
    }

    func readable(_ protection: Protection) -> Bool {
        switch protection {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: unlockedKeys
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: firstUnlockKeys
        case .always, .alwaysThisDeviceOnly: true
        }
    }
}

/// Whether the app may use Face ID.
public enum Permission: Sendable {
    /// The alert comes with the first use.
    case notAsked
    /// The owner allowed it.
    case allowed
    /// The owner denied it, in the alert or in Settings.
    case denied
}

/// Where the app is.
public enum AppPhase: Sendable {
    /// In front, and used.
    case active
    /// In front, behind a sheet of the system.
    case inactive
    /// Not to be seen.
    case background
}

/// Behaviours that differ between versions of the system, or that are only reported.
public struct Quirks: Sendable {
    /// What the first read of a revoked item returns: -25300 [apple-src + inf]; on some versions -26275 or -25293
    /// [field].
    public var revokedStatus = Status.itemNotFound
    /// Whether the revoked row is dropped after that read [apple-src].
    public var revokedRowVanishes = true
    /// What a read returns while the keychain's class key is missing: -25308, or -25291 [apple-src].
    public var classLockedStatus = Status.interactionNotAllowed
    /// Whether a look that may not ask answers -25293, as a prompt would, while biometrics are locked out or refused to the
    /// app: one function makes that code of both [apple-src], but which is asked first is not published [inf].
    public var refusesWithoutAsking = false
    /// Whether an app that leaves the screen may stay for a while; where it may not, it is told so at once [doc].
    public var letsAppsStay = true
    /// Whether the app's sandbox tells the name of this boot; documented for macOS alone [inf].
    public var tellsBootSession = true
    /// How long an evaluated context opens items, in milliseconds: "a few minutes" [field].
    public var contextLifetime: Int64 = 300_000
}
