package import ThumbturnDevice
package import ThumbturnRules

/// A call to a simulated device, passed to a script before it happens.
package enum SimulatedCall: Hashable, Sendable {
    /// `SecureStore.save`
    case save(ItemName)
    /// `SecureStore.read`
    case read(ItemName)
    /// `SecureStore.describe`
    case describe(ItemName)
    /// `SecureStore.delete`
    case delete(ItemName)
    /// `SecureStore.makeDeviceSecret`
    case makeDeviceSecret(ItemName)
    /// `SecureStore.evaluate`
    case evaluate(ItemName)
    /// `SecureStore.makeDeviceKey`
    case makeDeviceKey(ItemName)
    /// `SecureStore.devicePublicKey`
    case devicePublicKey(ItemName)
    /// `SecureStore.sign`
    case sign(ItemName)
    /// `Anchor.position`
    case anchorPosition(ItemName)
    /// `Anchor.move`
    case anchorMove(ItemName)
    /// `Anchor.remove`
    case anchorRemove(ItemName)
    /// `OwnerPrompt.prompt`
    case prompt
    /// `OwnerPrompt.capability`; it does not throw, so a refusal becomes `temporarilyUnavailable`.
    case capability
    /// `Device.installation`
    case installation
}

/// A script's decision about a call; to fail it before it has an effect, the script throws.
package enum Interception: Hashable, Sendable {
    /// The call continues.
    case proceed
    /// The call has its effect, but the caller gets a failure.
    case failAfterEffect(DeviceRefusal)
}

/// How often a simulated device was called since it was created, failed calls included.
package struct SimulatedCounts: Hashable, Sendable {
    /// Prompts that a user would have seen.
    package internal(set) var prompts = 0
    /// Uses of device secrets.
    package internal(set) var evaluations = 0
    /// Signatures of device keys.
    package internal(set) var signatures = 0
    /// New items, device secrets and device keys.
    package internal(set) var saves = 0
    /// Deletions.
    package internal(set) var deletes = 0
}
