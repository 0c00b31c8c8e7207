@_spi(VerifiedServer) import ThumbturnCrypto

/// The end of a login: an answer whose M2 verified.
///
/// This is the one place where a `ServerSession` is made: of what `confirm` gives, which throws for any other proof than that of
/// a server that has the account's verifier. `Scripts/lint.sh` holds that there is no other.
struct VerifiedAnswer: ~Copyable {
    /// All but the token.
    let body: AnswerBody
    private let session: ServerSession

    /// Checks M2 before anything else of the answer is believed.
    init(_ answer: borrowing SecretBytes, _ proof: consuming SRPClientProof) throws(AccountFailure) {
        let read = try AnswerWithToken(answer)
        let serverProof = try read.body.hexadecimal("M2", byteCount: SHA256.byteCount)
        let login: SRPClientSession
        do throws(SRPError) { login = try proof.confirm(serverProof) } catch { throw AccountFailure(error) }
        body = read.body
        session = ServerSession(login, token: read.token.copy())
    }

    /// Gives the session to who logged in.
    consuming func takeSession() -> ServerSession { session }
}
