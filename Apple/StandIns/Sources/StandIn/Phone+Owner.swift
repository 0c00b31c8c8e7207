public import Foundation

extension Phone {
    /// Plans what the owner does at the next prompts; afterwards the habit counts again.
    public func script(_ answers: Answer...) {
        withState { $0.answers += answers }
        condition.broadcast()
    }

    /// Answers a prompt at which the owner hesitates.
    public func answer(_ answer: Answer) { script(answer) }

    /// What the owner does when no answer is planned.
    public var habit: Answer {
        get { withState { $0.habit } }
        set { withState { $0.habit = newValue } }
    }

    /// Every prompt that was shown, in order.
    public var prompts: [Prompt] { withState { $0.prompts } }

    /// Forgets which prompts were shown.
    public func forgetPrompts() { withState { $0.prompts = [] } }

    /// Whether a prompt is up.
    public var isPrompting: Bool { withState { $0.showing != nil } }

    /// Blocks until the owner hesitates at a prompt.
    public func waitForHesitation() {
        condition.lock()
        while heldState.hesitating == 0 { waitForChange() }
        condition.unlock()
    }

    /// Adds or removes a finger or a face: another enrolled set.
    public func changeEnrolment() {
        changeBiometry { state in
            state.lastEnrolment += 1
            state.enrolment = state.lastEnrolment
        }
    }

    /// Removes every finger and face.
    public func removeEnrolment() { changeBiometry { $0.enrolment = nil } }

    /// Resets Face ID, backs out, and enrols again.
    public func resetBiometry() {
        changeBiometry { $0.biometryResets += 1 }
        changeEnrolment()
    }

    /// Turns the passcode off: the enrolled set goes with it, and the items that need a passcode are deleted [doc].
    public func removePasscode() {
        changeBiometry { state in
            state.setup.passcodeSet = false
            state.enrolment = nil
            state.screenLocked = false
            state.rows.removeAll { $0.control.protection == .whenPasscodeSetThisDeviceOnly }
            state.enclaveKeys = state.enclaveKeys.filter {
                $0.value.control.protection != .whenPasscodeSetThisDeviceOnly
            }
        }
    }

    /// Turns a passcode on.
    public func setPasscode() { changeBiometry { $0.setup.passcodeSet = true } }

    /// Whether the app may use Face ID.
    public var permission: Permission {
        get { withState { $0.permission } }
        set { changeBiometry { $0.permission = newValue } }
    }

    /// Fails biometrics until the system locks them, as somebody does at the lock screen.
    public func lockOutBiometry() { changeBiometry { $0.mismatches = 5 } }

    /// Posted when the means of authentication changed; for the stand-ins alone.
    public static let biometryChanged = Notification.Name("StandIn.biometryChanged")

    private func changeBiometry(_ change: (inout PhoneState) -> Void) {
        withState(change)
        NotificationCenter.default.post(name: Self.biometryChanged, object: nil)
    }

    /// What `LAEnvironment` says of the phone.
    public var biometryState: BiometryState {
        withState { state in
            BiometryState(
                sensor: state.setup.sensor.rawValue,
                enrolled: state.enrolment != nil,
                lockedOut: state.lockedOut,
                usable: obstacle(to: .biometry, in: state) == nil,
                hash: state.lockedOut ? nil : state.domainState,
                passcodeSet: state.setup.passcodeSet
            )
        }
    }

    /// Failed tries since the last success; five lock biometrics out.
    public var mismatches: Int { withState { $0.mismatches } }

    /// Why iOS ended the app.
    public var kills: [String] { withState { $0.kills } }
}

extension PhoneState {
    /// Belongs to this app and this set; compared with that of another app it says nothing [field].
    var domainState: Data? {
        enrolment.map { Data("\(setup.accessGroups.first ?? "unsigned") set \($0)".utf8) }
    }
}

/// The means of authentication at one time.
public struct BiometryState: Hashable, Sendable {
    /// The raw value of `LABiometryType`.
    public let sensor: Int
    public let enrolled: Bool
    public let lockedOut: Bool
    public let usable: Bool
    /// Changes with the enrolled set.
    public let hash: Data?
    public let passcodeSet: Bool
}
