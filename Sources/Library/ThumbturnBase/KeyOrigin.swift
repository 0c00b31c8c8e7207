package import ThumbturnDevice
package import ThumbturnRules

/// On which device something that is stored was made, by what its rows say; nobody has verified them.
///
/// It only tells where to look for the keys: on the wrong device nothing opens.
package struct KeyOrigin: Hashable, Sendable {
    /// The kind of device; nil for a vault that was being made or erased.
    package let device: DeviceKind?
    /// Its items in the secure store, the PIN's device secret first: one vault may have left others on another device.
    package let items: [ItemName]
    /// What the names of all its items begin with; nil where nothing is left to tell.
    package let vault: Identifier?

    /// What somebody read in the rows.
    package init(device: DeviceKind?, items: [ItemName], vault: Identifier?) {
        self.device = device
        self.items = items
        self.vault = vault
    }
}
