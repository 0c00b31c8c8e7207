package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// What a login brought whose both sides were proved: the account's keys, and what the service said of itself.
package struct AccountOpening: ~Copyable, Sendable {
    /// The keys of the envelope.
    package let keys: AccountKeys
    /// The account as the vault's head is to name it from now on.
    package let account: VaultAccount
    /// The epoch that the service named.
    package let policyEpoch: UInt64
    /// What the service proves its answers to this device by from now on.
    package let contactKey: HeldSecret?
    /// What opens without the service, where the policy lets that be kept.
    package let offline: OfflineLogin?
    /// Where the service is from now on, and what vouches for it there; nil leaves both as the head has them.
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

/// How an account's service is to know this device.
package struct AccountDevice: Hashable, Sendable {
    /// Its name there, which is never used again.
    package let id: Identifier
    /// The key that signs for it.
    package let key: ItemName
    /// The public half of that: SubjectPublicKeyInfo in DER.
    package let publicKey: [UInt8]
}
