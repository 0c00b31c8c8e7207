import Testing
import ThumbturnTestKit

/// What nobody can write who has no verified M2: each line must not compile, with the error that it must give.
@Suite struct ServerSessionCompileTests {
    private static func source(_ head: String, _ body: String) -> String {
        """
        \(head)
        func body(_ login: consuming SRPClientSession, _ session: borrowing ServerSession, _ secret: consuming SecretBytes) {
            \(body)
        }
        """
    }

    private static let plain = "import ThumbturnCrypto"
    private static let maker = "_ = ServerSession(login, token: secret)"

    @Test func `the door is there, for who says that he goes through it`() throws {
        let errors = try Compiler.errors(in: Self.source("@_spi(VerifiedServer) import ThumbturnCrypto", Self.maker))
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(
        .holds("A49", "INV-107-04"),
        arguments: [
            (plain, maker, "ServerSession"),
            (plain, "_ = SRPClientSession(key: secret)", "SRPClientSession"),
            // Also within the package what only a verified proof makes can't be made otherwise.
            ("@testable import ThumbturnCrypto", "_ = SRPClientSession(key: secret)", "fileprivate"),
            (plain, "_ = session.token.byteCount", "'token' is inaccessible"),
            (plain, "_ = session.login", "'login' is inaccessible"),
        ]
    )
    func `no token is made, and none is read off one`(head: String, body: String, error: String) throws {
        let errors = try Compiler.errors(in: Self.source(head, body))
        #expect(errors.contains { $0.message.contains(error) }, "\(body): \(errors)")
    }
}
