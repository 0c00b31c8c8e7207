package import ThumbturnCrypto
package import ThumbturnRules

/// What a device needs to ask its account's service whether anything changed.
package struct AccountContact: Sendable {
    /// The account, unverified while the vault is locked.
    package let account: VaultAccount
    /// The key that proves the service's answer, from this device's last login; nil if it was lost.
    package let key: HeldSecret?
}

/// What an account's service answered.
package struct AccountAnswer: Sendable {
    package let answer: ServiceAnswer
    /// The account that was asked: the head may name another device of it by now.
    package let account: VaultAccount

    package init(_ answer: ServiceAnswer, of account: VaultAccount) { (self.answer, self.account) = (answer, account) }
}
