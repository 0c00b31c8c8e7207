package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// The result of a login that proved both sides: the account's keys, and the service's statements.
package struct AccountOpening: ~Copyable, Sendable {
    /// The keys of the envelope.
    package let keys: AccountKeys
    /// The account as the vault's head names it from now on.
    package let account: VaultAccount
    /// The policy epoch that the service stated.
    package let policyEpoch: UInt64
    /// The key with which the service proves its answers to this device from now on.
    package let contactKey: HeldSecret?
    /// The data for opening without the service, if the policy allows storing it.
    package let offline: OfflineLogin?
    /// The service's new address and what vouches for it there; nil keeps both as in the head.
    package let service: VaultAccount.Service?

    package init(
        keys: consuming AccountKeys,
        account: VaultAccount,
        policyEpoch: UInt64,
        contactKey: HeldSecret? = nil,
        offline: OfflineLogin? = nil,
        service: VaultAccount.Service? = nil
    ) {
        self.keys = keys
        self.account = account
        self.policyEpoch = policyEpoch
        self.contactKey = contactKey
        self.offline = offline
        self.service = service
    }
}

/// How an account's service identifies this device.
package struct AccountDevice: Hashable, Sendable {
    /// The device's id at the service, never reused.
    package let id: Identifier
    /// The device's signing key.
    package let key: ItemName
    /// The public key: SubjectPublicKeyInfo in DER.
    package let publicKey: [UInt8]
}
