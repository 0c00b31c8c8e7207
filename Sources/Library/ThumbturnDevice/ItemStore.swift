public import ThumbturnCrypto
public import ThumbturnRules

/// A store of small secrets behind biometrics: seed 002 §4.1 `KeychainService`.
///
/// `putBiometricProtectedSecret` is `save` under `.currentBiometrySet`, `getBiometricProtectedSecret` is `read`, which
/// includes the prompt, and `deleteSecret` is `delete`. Secrets are passed in `SecretBytes`, never as base64 text.
public protocol KeychainService: Sendable {
    /// Stores a new item; never prompts.
    ///
    /// - Throws: `.unavailable`, `.notEnrolled` for a biometric item without any enrolment, `.hardwareMissing`.
    func save(_ secret: borrowing SecretBytes, as name: ItemName, access: AccessControl) async throws(DeviceRefusal)

    /// Reads an item; a guarded one prompts with `prompt`, and is released only while the enrolled set is the one it
    /// was saved under.
    ///
    /// - Throws: every case of `DeviceRefusal` but `.weakerThanAsked` and `.wrongAuthorisation`.
    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes

    /// Deletes an item, a device secret or a device key, in any state, without a prompt; does nothing if it is absent.
    ///
    /// - Throws: `.unavailable` when it may still exist.
    func delete(_ name: ItemName) async throws(DeviceRefusal)
}

/// A device's store of small secrets, each guarded by its own access control.
///
/// - Reading a guarded item *is* the prompt: one prompt per read, and the secret is its only success (C21).
/// - Names are used once: a new secret gets a new name, and nothing is overwritten.
/// - Nothing leaves the device: every item is this-device-only and out of backups (B-12).
/// - Answers are four-valued: present, absent, damaged, unavailable. A store says `absent` only if it could certainly
///   be read; before the first unlock or in a prewarmed launch it says `unavailable` (A25). A readable but incomplete
///   item is `damaged`: it can't be opened, like an absent one, and stays until it is deleted.
/// - Task cancellation ends a prompt with `cancelledBySystem`.
package protocol ItemStore: KeychainService {
    /// Returns how well items under `access` are guarded here.
    func assurance(of access: AccessControl) -> Assurance

    /// Whether the hardware enforces an item's lease.
    var keepsLeases: Bool { get }

    /// Stores a new item; never prompts.
    ///
    /// After its lease, reading it is refused with `lockedOut`: the vault asks for the PIN, and stores the next item.
    /// It can still be described, since it was not revoked. Only an item guarded by biometrics can have a lease, not
    /// one of the device alone. A store that does not keep leases ignores it.
    ///
    /// - Throws: `.unavailable`, `.notEnrolled` for a biometric item without any enrolment, `.hardwareMissing`.
    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal)

    /// Describes an item, a device secret or a device key, without a prompt; nil if there is none.
    ///
    /// A revoked item reads as absent. If a service knows the enrolled set, this uses its last `capability`, because no
    /// service is asked here.
    ///
    /// - Throws: `.damaged`, `.unavailable` when the state is unknown.
    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription?
}

extension ItemStore {
    /// Stores a new item without a lease.
    ///
    /// - Throws: as `save(_:as:access:lease:)` does.
    package func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl
    ) async throws(DeviceRefusal) {
        try await save(secret, as: name, access: access, lease: nil)
    }
}

/// How long an item may be used, in a store that `keepsLeases`.
package struct ItemLease: Hashable, Sendable {
    /// Whether it ends with this boot of the device.
    package var thisBootOnly: Bool
    /// The time after which it ends, by the hardware's clock; nil for none.
    ///
    /// That clock may stop during sleep.
    package var duration: Milliseconds?

    /// Creates a lease.
    package init(thisBootOnly: Bool, duration: Milliseconds? = nil) {
        self.thisBootOnly = thisBootOnly
        self.duration = duration
    }
}

/// What an item may be used with.
///
/// All are `whenUnlockedThisDeviceOnly` (C2).
public enum AccessControl: UInt8, Hashable, Sendable, CaseIterable {
    /// The unlocked device alone.
    case deviceOnly = 0
    /// One of the fingers or faces enrolled when the item was made; any change invalidates it.
    case currentBiometrySet = 1
    /// Any finger or face, or the device's passcode; the item ends with the passcode, but no change of the set affects
    /// it.
    case anyBiometryOrPasscode = 2
}

/// What a store reports about an item, read back from the platform rather than remembered (A32).
package struct ItemDescription: Hashable, Sendable {
    /// What it may be used with.
    package var access: AccessControl
    /// Whether it stays on this device.
    package var staysOnDevice: Bool

    /// Creates a description.
    package init(access: AccessControl, staysOnDevice: Bool) {
        self.access = access
        self.staysOnDevice = staysOnDevice
    }
}
