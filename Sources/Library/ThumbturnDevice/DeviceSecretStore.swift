package import ThumbturnCrypto
package import ThumbturnRules

/// Secrets that are used on the device and never read.
package protocol DeviceSecretStore: Sendable {
    /// Makes a device secret, which can be used but never read.
    ///
    /// - Throws: `.unavailable`, `.hardwareMissing`.
    func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal)

    /// Computes a keyed function of `input` under a device secret, 32 bytes; in hardware, if it can do so without
    /// revealing the key.
    ///
    /// - Throws: `.absent` when the secret is confirmed missing, `.damaged`, `.unavailable`, and `.lockedOut` or
    ///   `.wrongAuthorisation` from hardware that counts attempts itself.
    func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes

    /// Gives one slot a part of a device secret that only the slot's authorisation opens; it is deleted with the
    /// secret.
    ///
    /// Hardware that counts attempts refuses a wrong authorisation and locks itself, so a PIN can't be tried without
    /// it.
    ///
    /// - Parameters:
    ///   - name: the device secret.
    ///   - slot: never used again; a new PIN is a new slot.
    ///   - authorisation: 32 bytes derived from the PIN or password by a slow function.
    /// - Throws: `.absent` without the device secret, `.unavailable`.
    func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal)

    /// Computes a keyed function of `input` under a slot's part of a device secret, 32 bytes.
    ///
    /// - Throws: `.wrongAuthorisation`, which is counted; `.lockedOut`, also for the right one; `.absent`; `.damaged`;
    ///   `.unavailable`.
    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes

    /// Deletes the parts of other slots, such as that left by a slot which was sealed again at a higher cost.
    ///
    /// - Parameters:
    ///   - name: the device secret.
    ///   - slots: the slots whose parts stay.
    /// - Throws: `.unavailable`.
    func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal)
}

/// A store of device secrets that counts no wrong authorisations: each slot uses the device secret directly.
///
/// A store has to declare this. One that merely forgot a call, and so bypassed a chip's own count, does not compile.
package protocol UncountedDeviceSecrets: DeviceSecretStore {}

extension UncountedDeviceSecrets {
    /// Does nothing: the device secret is used directly.
    package func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {}

    /// Uses the device secret directly, for any authorisation.
    ///
    /// - Throws: what `evaluate(_:input:)` throws.
    package func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        try await evaluate(name, input: input)
    }

    /// Does nothing: there are no parts.
    package func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal) {}
}

/// Where a vault keeps the parts of its keys: its items, the device's secrets, and the device's own keys.
///
/// It has no default implementations.
package typealias SecureStore = ItemStore & DeviceSecretStore & DeviceKeyStore
