package import ThumbturnCrypto

/// What a device needs to ask its account's service whether anything changed.
package struct AccountContact: Sendable {
    /// The account, unverified while the vault is locked.
    package let account: VaultAccount
    /// The key that proves the service's answer, from this device's last login; nil if it was lost.
    package let key: HeldSecret?
}
