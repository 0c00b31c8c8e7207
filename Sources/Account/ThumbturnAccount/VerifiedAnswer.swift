@_spi(VerifiedServer) import ThumbturnCrypto
import ThumbturnJSON

/// The end of a login: an answer whose M2 verified.
///
/// This is the one place where a `ServerSession` is made: of what `confirm` gives, which throws for any other proof than that of
/// a server that has the account's verifier. `Scripts/lint.sh` holds that there is no other.
struct VerifiedAnswer: ~Copyable {
    /// All but the token.
    let body: AnswerBody
    private let session: ServerSession

    /// Checks M2 before anything else of the answer is believed, and that who has the verifier said the rest too.
    ///
    /// - Parameters:
    ///   - path: where `members` were sent.
    init(
        _ answer: borrowing AccountResponse,
        _ proof: consuming SRPClientProof,
        to path: String,
        _ members: [(String, JSON)]
    ) throws(AccountFailure) {
        let read = try AnswerWithToken(answer.body)
        let serverProof = try read.body.hexadecimal("M2", byteCount: SHA256.byteCount)
        let login: SRPClientSession
        do throws(SRPError) { login = try proof.confirm(serverProof) } catch { throw AccountFailure(error) }
        let session = ServerSession(login, token: read.token.copy())
        try session.check(answer, to: .post, path, members)
        body = read.body
        self.session = session
    }

    /// Gives the session to who logged in.
    consuming func takeSession() -> ServerSession { session }
}
