package import ThumbturnCrypto
import ThumbturnRules

/// The calls of accounts: what each checks, in which order, and what it changes in its one transaction.
///
/// They know nothing of HTTP. What they are handed was read strictly already; of what depends on the token, such as a form
/// that must not be judged before it, they are handed the reader.
package struct Accounts: Sendable {
    let keys: AccountKeys
    let limits: Limits
    let gauge: HandshakeGauge
    /// How numbers enter proofs; an operator's choice, never a client's.
    let encoding: SRPEncoding

    package init(keys: AccountKeys, limits: Limits, gauge: HandshakeGauge, encoding: SRPEncoding = .minimal) {
        (self.keys, self.limits, self.gauge, self.encoding) = (keys, limits, gauge, encoding)
    }

    /// What a token's call is handed.
    struct Caller {
        let token: BearerToken?
        let network: [UInt8]
        let now: ServiceTime
    }
}
