package import ThumbturnCrypto

/// What a device asks its account's service with, whether all is as it was.
package struct AccountContact: Sendable {
    /// The account, which nobody has verified while the vault is locked.
    package let account: VaultAccount
    /// What proves the answer, of this device's last login; nil where it is lost.
    package let key: HeldSecret?
}
