public import ThumbturnCrypto
public import ThumbturnRules

/// Where small secrets lie behind biometrics: seed 002 §4.1 `KeychainService`.
///
/// `putBiometricProtectedSecret` is `save` under `.currentBiometrySet`, `getBiometricProtectedSecret` is `read`, which is
/// the prompt, and `deleteSecret` is `delete`. Secrets travel in `SecretBytes`, never in base64 text.
public protocol KeychainService: Sendable {
    /// Stores a new item; it never prompts.
    ///
    /// - Throws: `.unavailable`, `.notEnrolled` for a biometric item with nobody enrolled, `.hardwareMissing`.
    func save(_ secret: borrowing SecretBytes, as name: ItemName, access: AccessControl) async throws(DeviceRefusal)

    /// Reads an item; a guarded one prompts with `prompt`, and is given out only while those who were enrolled when it was
    /// saved still are.
    ///
    /// - Throws: every case of `DeviceRefusal` but `.weakerThanAsked` and `.wrongAuthorisation`.
    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes

    /// Deletes an item, a device secret or a device key, in any state, without a prompt; one that is absent is deleted already.
    ///
    /// - Throws: `.unavailable` when it may still be there.
    func delete(_ name: ItemName) async throws(DeviceRefusal)
}

/// Where small secrets lie on a device, each behind what it may be used with.
///
/// - Reading a guarded item *is* the prompt: one prompt per read, and the secret is its only success (C21).
/// - Names are used once: a new secret gets a new name, and nothing is overwritten.
/// - Nothing leaves the device: every item is this-device-only and out of backups (B-12).
/// - Answers are four-valued: present, absent, damaged, unavailable. `absent` is said only while the store could be read for
///   certain; before the first unlock or in a prewarmed launch it says `unavailable` (A25). What lies there, can be read and is
///   not whole is `damaged`: it opens as what is absent does, and stays until it is deleted.
/// - Task cancellation ends a prompt with `cancelledBySystem`.
package protocol ItemStore: KeychainService {
    /// What guards items under `access` here.
    func assurance(of access: AccessControl) -> Assurance

    /// Whether the hardware ends an item with its lease.
    var keepsLeases: Bool { get }

    /// Stores a new item; it never prompts.
    ///
    /// Once its lease is over, reading it is refused with `lockedOut`: the vault asks for the PIN, and stores the next one. It
    /// is still described, since it was not revoked. A lease is of an item that somebody guards: one of the device alone has
    /// none. A store that keeps no leases takes no notice of one.
    ///
    /// - Throws: `.unavailable`, `.notEnrolled` for a biometric item with nobody enrolled, `.hardwareMissing`.
    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal)

    /// Tells whether an item, a device secret or a device key is there and what guards it, without a prompt. A revoked item
    /// reads as absent; where a service says who is enrolled, that is by the last `capability`, for no service is asked here.
    ///
    /// - Throws: `.damaged`, `.unavailable` when nothing can be said.
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
    /// That clock may stand still in sleep.
    package var duration: Milliseconds?

    /// Describes a lease.
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
    /// Any finger or face, or the device's passcode; an item ends with the passcode, and no change of the set touches it.
    case anyBiometryOrPasscode = 2
}

/// What a store says of an item, read back from the platform rather than remembered (A32).
package struct ItemDescription: Hashable, Sendable {
    /// What it may be used with.
    package var access: AccessControl
    /// Whether it stays on this device.
    package var staysOnDevice: Bool

    /// Describes an item.
    package init(access: AccessControl, staysOnDevice: Bool) {
        self.access = access
        self.staysOnDevice = staysOnDevice
    }
}
