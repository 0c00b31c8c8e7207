package import ThumbturnCrypto
package import ThumbturnRules

/// Secrets of a device that are used there and never read.
package protocol DeviceSecretStore: Sendable {
    /// Makes a device secret that is used and never read.
    ///
    /// - Throws: `.unavailable`, `.hardwareMissing`.
    func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal)

    /// Uses a device secret: a keyed function of `input`, 32 bytes, where the hardware can without giving the key away.
    ///
    /// - Throws: `.absent` when the secret is confirmed missing, `.damaged`, `.unavailable`, and `.lockedOut` or
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
    /// - Throws: `.wrongAuthorisation`, which counts; `.lockedOut`, also for the right one; `.absent`; `.damaged`; `.unavailable`.
    func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes

    /// Deletes the parts of a device secret that other slots had; one that was sealed anew at a higher cost leaves its former
    /// part.
    ///
    /// - Parameters:
    ///   - name: the device secret.
    ///   - slots: whose parts stay.
    /// - Throws: `.unavailable`.
    func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal)
}

/// A store of device secrets that counts no wrong authorisation: each slot uses the device secret as it is.
///
/// A store says so by name. One that forgot a call, and so let a chip's own count go by, does not compile.
package protocol UncountedDeviceSecrets: DeviceSecretStore {}

extension UncountedDeviceSecrets {
    /// Does nothing: the device secret is used as it is.
    package func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {}

    /// Uses the device secret as it is, whatever the authorisation.
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

/// What a vault keeps its parts of keys in: its items, the device's secrets, and the device's own keys.
///
/// It has no default bodies.
package typealias SecureStore = ItemStore & DeviceSecretStore & DeviceKeyStore
