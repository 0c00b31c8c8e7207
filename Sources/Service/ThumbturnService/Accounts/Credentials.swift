import ThumbturnCrypto

/// Everything that depends on the password: its verifier, the parameters for deriving it again, and the envelope under
/// it.
struct Credentials {
    let group: SRPGroup
    let salt: [UInt8]
    let verifier: [UInt8]
    let kdf: KDFChoice
    let envelope: [UInt8]?

    /// Refuses a verifier that does not fit its group, without computing a power.
    func check() throws(Problem) {
        do throws(SRPError) { try SRPVerifier.check(SecretBytes(public: verifier), group: group) } catch {
            throw Problem(.width)
        }
    }
}
