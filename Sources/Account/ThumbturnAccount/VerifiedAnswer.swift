@_spi(VerifiedServer) import ThumbturnCrypto
import ThumbturnJSON

/// The last step of a login: an answer whose M2 is verified.
///
/// It is the only place that creates a `ServerSession`, from the result of `confirm`, which throws unless the proof is
/// from a server with the account's verifier. `Scripts/lint.sh` enforces that.
struct VerifiedAnswer: ~Copyable {
    /// The body without the token.
    let body: AnswerBody
    private let session: ServerSession

    /// Checks M2 before using anything else of the answer, and checks that a server with the verifier sent the rest
    /// too.
    ///
    /// - Parameters:
    ///   - path: the path that `members` were sent to.
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

    consuming func takeSession() -> ServerSession { session }
}
