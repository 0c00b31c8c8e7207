package import ThumbturnDevice
package import ThumbturnRules

/// A call to a simulated device, as a script sees it before it happens.
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
    /// `OwnerPrompt.capability`; it throws nothing, so a refusal shows as `temporarilyUnavailable`.
    case capability
    /// `Device.installation`
    case installation
}

/// What a script makes of a call; to fail it before it has an effect, the script throws.
package enum Interception: Hashable, Sendable {
    /// The call goes on.
    case proceed
    /// The call has its effect, and the caller hears of a failure.
    case failAfterEffect(DeviceRefusal)
}

/// What a simulated device was asked to do since it was made, failed calls included.
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
