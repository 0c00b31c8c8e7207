package import ThumbturnCrypto
import ThumbturnRules

/// The calls about accounts: what each checks, in which order, and what it changes in its one transaction.
///
/// They do not depend on HTTP. Their arguments are already parsed strictly; if something must not be judged before the
/// token, such as the form, they get its parser instead.
package struct Accounts: Sendable {
    let keys: AccountKeys
    let limits: Limits
    let gauge: HandshakeGauge
    /// How numbers are encoded in proofs; chosen by the operator, never by a client.
    let encoding: SRPEncoding

    package init(keys: AccountKeys, limits: Limits, gauge: HandshakeGauge, encoding: SRPEncoding = .minimal) {
        (self.keys, self.limits, self.gauge, self.encoding) = (keys, limits, gauge, encoding)
    }

    /// The client of a call.
    struct Caller {
        let token: BearerToken?
        let network: [UInt8]
        let now: ServiceTime
    }
}
