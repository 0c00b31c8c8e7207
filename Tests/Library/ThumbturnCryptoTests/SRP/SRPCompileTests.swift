#if canImport(COpenSSL)
import Testing
import ThumbturnTestKit

/// What no caller can write: each line must not compile, with the error that it must give.
@Suite struct SRPCompileTests {
    // Testable, since a source outside of the package sees none of it; what is private stays so.
    private static let head = """
        @testable import ThumbturnCrypto

        """

    private static func source(_ bodies: [String]) -> String {
        let arguments = """
            _ server: consuming SRPServerHandshake, _ client: consuming SRPClientHandshake, \
            _ proof: consuming SRPClientProof, _ bytes: [UInt8]
            """
        return bodies.enumerated().reduce(into: head) { text, body in
            text += "func body\(body.offset)(\(arguments)) throws(SRPError) { \(body.element) }\n"
        }
    }

    private static let firstLine = head.count { $0 == "\n" } + 1

    private static let finish = "server.finish(account: bytes, salt: bytes, clientValue: bytes, proof: bytes)"
    private static let answer = "client.answer(salt: bytes, serverValue: bytes)"

    /// What a caller writes in their place, so that nothing but the mistake is wrong.
    private static let right = [
        "let session = try \(finish); _ = session.proof",
        "let proof = try \(answer); _ = proof.proof; _ = try proof.confirm(bytes).key.byteCount",
    ]

    /// Errors of types.
    private static let wrong: [(body: String, error: String)] = [
        // A step left out.
        ("_ = server.proof", "value of type 'SRPServerHandshake' has no member 'proof'"),
        ("_ = server.key", "value of type 'SRPServerHandshake' has no member 'key'"),
        ("_ = try client.confirm(bytes)", "value of type 'SRPClientHandshake' has no member 'confirm'"),
        // The key before the other side's proof.
        ("_ = proof.key.byteCount", "'key' is inaccessible due to 'private' protection level"),
        ("_ = proof.expected.byteCount", "'expected' is inaccessible due to 'private' protection level"),
        // A session made by hand.
        ("_ = SRPClientSession(key: .random(byteCount: 32))", "inaccessible due to 'fileprivate' protection level"),
        // The group and its k come from nobody.
        ("_ = SRPGroup(rawValue: \"n\")!.mathematics.k = bytes", "'k' is a 'let' constant"),
        // What is secret can't be read off a handshake.
        ("_ = server.secret.byteCount", "'secret' is inaccessible due to 'private' protection level"),
        ("_ = server.verifier.byteCount", "'verifier' is inaccessible due to 'private' protection level"),
    ]

    /// Errors of ownership.
    private static let twice: [(body: String, error: String)] = [
        ("_ = try \(finish); _ = try \(finish)", "'server' consumed more than once"),
        ("let copy = server; _ = try \(finish); _ = copy.publicValue", "'server' consumed more than once"),
        ("_ = try \(finish); _ = server.copyOfSecret()", "'server' used after consume"),
        ("_ = try \(answer); _ = try \(answer)", "'client' consumed more than once"),
        ("_ = try proof.confirm(bytes); _ = try proof.confirm(bytes)", "'proof' consumed more than once"),
    ]

    @Test func `what a caller writes compiles`() throws {
        let errors = try Compiler.errors(in: Self.source(Self.right))
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(.holds("SRP-6", "SRP-9", "SRP-10"))
    func `no step can be left out, and no key be had before the other side's proof`() throws {
        try Self.expect(Self.wrong)
    }

    @Test(.holds("SRP-11", "SRP-12")) func `a handshake is used up by the proof that it takes, and so is its secret`()
        throws
    {
        try Self.expect(Self.twice)
    }

    private static func expect(_ mistakes: [(body: String, error: String)]) throws {
        let errors = try Compiler.errors(in: source(mistakes.map(\.body)))
        for (index, mistake) in mistakes.enumerated() {
            let told = errors.filter { $0.line == firstLine + index }.map(\.message)
            #expect(told.contains { $0.contains(mistake.error) }, "\(mistake.body): \(told)")
        }
    }
}
#endif
