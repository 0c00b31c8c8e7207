package import ThumbturnDevice
package import ThumbturnRules

/// The device on which stored data was made, according to its rows, which are not verified.
///
/// It only tells where to look for the keys: on the wrong device nothing opens.
package struct KeyOrigin: Hashable, Sendable {
    /// The kind of device; nil for a vault that was being created or erased.
    package let device: DeviceKind?
    /// Its items in the secure store, the PIN's device secret first: a vault may have left others on another device.
    package let items: [ItemName]
    /// The prefix of all its item names; nil when nothing is left to tell.
    package let vault: Identifier?

    /// Creates an origin from what was read in the rows.
    package init(device: DeviceKind?, items: [ItemName], vault: Identifier?) {
        self.device = device
        self.items = items
        self.vault = vault
    }
}
