public import ThumbturnCrypto
public import ThumbturnRules

/// Where small secrets lie on a device, each behind what it may be used with.
///
/// - Reading a guarded item *is* the prompt: one prompt per read, and the secret is its only success (C21).
/// - Names are used once: a new secret gets a new name, and nothing is overwritten.
/// - Nothing leaves the device: every item is this-device-only and out of backups (B-12).
/// - Answers are three-valued: present, absent, unavailable. `absent` is said only while the store could be read for
///   certain; before the first unlock or in a prewarmed launch it says `unavailable` (A25).
/// - Task cancellation ends a prompt with `cancelledBySystem`.
public protocol SecureStore: Sendable {
    /// What guards items under `access` here.
    func assurance(of access: AccessControl) -> Assurance

    /// Stores a new item; it never prompts.
    ///
    /// - Throws: `.unavailable`, `.notEnrolled` for a biometric item with nobody enrolled, `.hardwareMissing`.
    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl
    ) async throws(DeviceRefusal)

    /// Reads an item; a guarded one prompts with `prompt`, and is given out only while those who were enrolled when it was
    /// saved still are.
    ///
    /// - Throws: every case of `DeviceRefusal` but `.weakerThanAsked` and `.wrongAuthorisation`.
    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes

    /// Tells whether an item is there and what guards it, without a prompt. A revoked item reads as absent.
    ///
    /// - Throws: `.unavailable` when nothing can be said.
    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription?

    /// Deletes an item, in any state, without a prompt; one that is absent is deleted already.
    ///
    /// - Throws: `.unavailable` when it may still be there.
    func delete(_ name: ItemName) async throws(DeviceRefusal)

    /// Makes a device secret that is used and never read.
    ///
    /// - Throws: `.unavailable`, `.hardwareMissing`.
    func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal)

    /// Uses a device secret: a keyed function of `input`, 32 bytes, where the hardware can without giving the key away.
    ///
    /// - Throws: `.absent` when the secret is confirmed missing, `.unavailable`, and `.lockedOut` or
    ///   `.wrongAuthorisation` from hardware that counts for itself.
    func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes

    /// Gives one slot a part of a device secret that opens by the slot's authorisation alone; it goes with the secret.
    ///
    /// Hardware that counts refuses a wrong authorisation and locks itself, so that a PIN can't be tried without it.
    ///
    /// - Parameters:
    ///   - name: the device secret.
    ///   - slot: never used again; a new PIN is a new slot.
    ///   - authorisation: 32 bytes that follow from the PIN or password by a slow function.
    /// - Throws: `.absent` without the device secret, `.unavailable`.
    func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal)

    /// Uses the part of a device secret that is one slot's: a keyed function of `input`, 32 bytes.
    ///
    /// - Throws: `.wrongAuthorisation`, which counts; `.lockedOut`, also for the right one; `.absent`; `.unavailable`.
    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes

    /// Deletes the parts of a device secret that other slots had; one that was sealed anew at a higher cost leaves its former part.
    ///
    /// - Parameters:
    ///   - name: the device secret.
    ///   - slots: whose parts stay.
    /// - Throws: `.unavailable`.
    func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal)

    /// Whether the hardware ends an item with its lease.
    var keepsLeases: Bool { get }

    /// Stores a new item as `save(_:as:access:)` does, until its lease is over.
    ///
    /// Then reading it is refused with `lockedOut`: the vault asks for the PIN, and stores the next one. It is still
    /// described, since it was not revoked. A lease is of an item that somebody guards: one of the device alone has none.
    ///
    /// - Throws: as `save(_:as:access:)` does.
    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal)
}

/// How long an item may be used, in a store that `keepsLeases`.
public struct ItemLease: Hashable, Sendable {
    /// Whether it ends with this boot of the device.
    public var thisBootOnly: Bool
    /// The time after which it ends, by the hardware's clock; nil for none.
    ///
    /// That clock may stand still in sleep.
    public var duration: Milliseconds?

    /// Describes a lease.
    public init(thisBootOnly: Bool, duration: Milliseconds? = nil) {
        self.thisBootOnly = thisBootOnly
        self.duration = duration
    }
}

// What a store without such hardware does.
extension SecureStore {
    /// Does nothing: the device secret is used as it is.
    public func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {}

    /// Uses the device secret as it is, whatever the authorisation.
    ///
    /// - Throws: what `evaluate(_:input:)` throws.
    public func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        try await evaluate(name, input: input)
    }

    /// Does nothing: there are no parts.
    public func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal) {}

    /// Nothing ends by itself.
    public var keepsLeases: Bool { false }

    /// Stores the item without a lease.
    ///
    /// - Throws: what `save(_:as:access:)` throws.
    public func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        try await save(secret, as: name, access: access)
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
public struct ItemDescription: Hashable, Sendable {
    /// What it may be used with.
    public var access: AccessControl
    /// Whether it stays on this device.
    public var staysOnDevice: Bool

    /// Describes an item.
    public init(access: AccessControl, staysOnDevice: Bool) {
        self.access = access
        self.staysOnDevice = staysOnDevice
    }
}

/// The name of an item: the vault, what it is for, and a part that is never used again.
public struct ItemName: Hashable, Sendable {
    /// What an item is for.
    public enum Purpose: String, Hashable, Sendable {
        /// Makes a copied vault useless elsewhere.
        case deviceSecret = "device-secret"
        /// The intermediate secret of a biometric slot.
        case biometric
        /// The intermediate secret of a system slot.
        case system
        /// What a credential vault keeps.
        case credential
    }

    /// The name as the platform keeps it; at most 100 ASCII characters.
    public let text: String

    /// Names an item of `vault`; `unique` is random and never used again.
    public init(vault: Identifier, purpose: Purpose, unique: Identifier) {
        text = "thumbturn.\(vault.text).\(purpose.rawValue).\(unique.text)"
    }

    /// Whether the name is one of `vault` for `purpose`.
    public func belongs(to vault: Identifier, for purpose: Purpose) -> Bool {
        text.utf8.starts(with: "thumbturn.\(vault.text).\(purpose.rawValue).".utf8)
    }

    /// The vault that the name is of; nil for a name of another form.
    public var vault: Identifier? {
        guard purpose != nil else { return nil }
        return Identifier(text: text.split(separator: ".", omittingEmptySubsequences: false)[1])
    }

    /// What the item is for; nil for a name of another form.
    public var purpose: Purpose? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[1].utf8.count == 32, parts[3].utf8.count == 32 else { return nil }
        return Purpose(rawValue: String(parts[2]))
    }

    /// Names an item that a former app stored; nil for an empty name, one above 100 bytes of printable ASCII, or one that could
    /// be a vault's.
    public init?(former text: String) {
        guard 1...100 ~= text.utf8.count, !text.utf8.starts(with: "thumbturn.".utf8) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }

    /// Takes a name that the vault stored; nil when it is no name of ours.
    public init?(text: String) {
        guard text.utf8.count <= 100, text.utf8.starts(with: "thumbturn.".utf8) else { return nil }
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        self.text = text
    }
}

/// The words on the system's prompt.
public struct PromptText: Hashable, Sendable {
    /// Why it asks; never empty.
    public var reason: String
    /// The button that dismisses it.
    public var cancelTitle: String
    /// The button that asks for the PIN or password instead; empty hides it.
    public var fallbackTitle: String

    /// Words for a prompt.
    public init(reason: String, cancelTitle: String = "Cancel", fallbackTitle: String = "Use PIN") {
        self.reason = reason
        self.cancelTitle = cancelTitle
        self.fallbackTitle = fallbackTitle
    }
}
