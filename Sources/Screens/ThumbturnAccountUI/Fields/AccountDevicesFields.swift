public import ThumbturnAccount
public import ThumbturnRules

/// What the screen shows on which the account's devices are listed, and revoked.
public struct AccountDevicesFields: Hashable, Sendable {
    /// The progress.
    @nonexhaustive
    public enum Step: Hashable, Sendable {
        /// The password is asked for, without which the service lists nothing.
        case password
        /// The devices are listed.
        case list
        /// The password is asked for, to revoke this device.
        case revocation(AccountVault.ListedDevice)
    }

    /// The progress.
    public let step: Step
    /// The account's devices, this one first; empty before the password.
    public let devices: [AccountVault.ListedDevice]
    /// The device that was revoked last; nil when none was.
    public let revoked: AccountVault.ListedDevice?
    /// Whether a call is in progress.
    public let isBusy: Bool
    /// The refusal of the last call, until the next one.
    public let error: UserError?
    /// How long the service asks to wait before the next password; nil when it does not.
    public let wait: Countdown?
}

extension AccountDevicesFields {
    /// The facts of one look at the devices.
    public struct Progress: Hashable, Sendable {
        /// The progress.
        public var step: Step
        /// The account's devices.
        public var devices: [AccountVault.ListedDevice]
        /// The device that was revoked last.
        public var revoked: AccountVault.ListedDevice?

        /// Creates the facts from step and devices.
        public init(step: Step = .password, devices: [AccountVault.ListedDevice] = []) {
            (self.step, self.devices) = (step, devices)
        }
    }

    /// Derives what to show.
    public init(_ progress: Progress, _ around: AccountSurroundings) {
        (step, revoked) = (progress.step, progress.revoked)
        devices = progress.devices.filter(\.isThis) + progress.devices.filter { !$0.isThis }
        (isBusy, error, wait) = (around.isBusy, around.error, around.countdown)
    }
}

extension AccountVault.ListedDevice {
    /// The day since when it is listed, such as `2026-11-30` (UTC); nil for a device that is not listed.
    var day: String? { createdAt.map { String($0.utcText.prefix(10)) } }

    /// What tells it from others: its name, or the first digits of its identifier.
    var title: String { name ?? String(id.prefix(8)) }
}
