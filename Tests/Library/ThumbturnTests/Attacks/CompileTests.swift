import Testing
import ThumbturnTestKit

/// What nobody outside the library can write: each line must not compile, with the error that it must give.
@Suite struct CompileTests {
    private static let head = """
        import Thumbturn
        import ThumbturnCrypto
        import ThumbturnDevice
        import ThumbturnRules

        """

    /// One function for each body, on a line of its own.
    private static func source(_ bodies: [String]) -> String {
        let arguments = "_ vault: Vault, _ id: Identifier, _ now: ClockReading, _ secret: consuming SecretBytes"
        return bodies.enumerated().reduce(into: head) { text, body in
            text += "func body\(body.offset)(\(arguments)) async throws { \(body.element) }\n"
        }
    }

    private static let firstLine = head.count { $0 == "\n" } + 1

    /// What an app writes in their place, so that nothing but the mistake is wrong.
    private static let right = [
        "try await vault.deleteWallet(id, try await vault.unlock(with: secret))",
        "try await vault.exportWallet(id, try await vault.unlock(with: secret)) { _, _ in }",
        "try await vault.enableBiometrics(BiometricConsent(ownerAgreedAt: now), try await vault.unlock(with: secret))",
        "_ = try await vault.unlock(with: secret)",
        "let proof = try await vault.unlock(with: secret); try await vault.deleteWallet(id, proof)",
    ]

    /// Errors of types, each with what the compiler must say of it.
    private static let wrong: [(body: String, error: String)] = [
        // A61: authorisation is an argument of the call.
        ("try await vault.deleteWallet(id)", "missing argument"),
        ("try await vault.exportWallet(id) { _, _ in }", "missing argument"),
        ("try await vault.changeLocalSecret(to: secret)", "missing argument"),
        ("try await vault.enableBiometrics(BiometricConsent(ownerAgreedAt: now))", "missing argument"),
        ("try await vault.reset()", "missing argument"),
        ("try await vault.confirmRecoveryKey(secret)", "missing argument"),
        // P-107-01: it is nothing that can be made by hand, and nor is a proof.
        (
            "_ = StrongAuthorization(slot: .localSecret, record: id, session: id, at: now)",
            "inaccessible due to 'internal' protection level"
        ),
        (
            "let given = try await vault.unlock(with: secret); _ = BiometricAuthorization(authorization: given)",
            "inaccessible due to 'internal' protection level"
        ),
        ("_ = UnlockProof(opened: .localSecret, integrity: .intact)", "UnlockProof|@_spi|inaccessible"),
        // C15: a finger's word is no PIN's.
        (
            "try await vault.deleteWallet(id, try await vault.unlockWithBiometrics(PromptText(reason: \"Delete\")))",
            "cannot convert value of type 'BiometricAuthorization' to expected argument type 'StrongAuthorization'"
        ),
        // INV-107-04, A49: what a local unlock gives names nobody and is no text that a server could be shown.
        (
            "let given = try await vault.unlock(with: secret); _ = given.session",
            "'session' is inaccessible due to 'internal' protection level"
        ),
        // K-02: no key leaves the library.
        ("_ = await vault.session", "'session' is inaccessible due to 'internal' protection level"),
        ("_ = await vault.keys", "inaccessible due to"),
    ]

    /// Errors of ownership.
    private static let twice: [(body: String, error: String)] = [
        (
            "let proof = try await vault.unlock(with: secret); try await vault.deleteWallet(id, proof); "
                + "try await vault.deleteWallet(id, proof)",
            "'proof' consumed more than once"
        ),
        (
            "let proof = try await vault.unlock(with: secret); let copy = proof; "
                + "try await vault.deleteWallet(id, proof); try await vault.deleteWallet(id, copy)",
            "'proof' consumed more than once"
        ),
    ]

    /// A38: what not even the vault's own code can do with a turn.
    @Test(.holds("A38")) func `nothing is written without a turn, and no borrowed turn lets others in`() throws {
        let bodies = [
            ("try vault.bankWait(in: turn)", ""),
            ("try vault.bankWait()", "missing argument for parameter 'in'"),
            ("try await vault.lookAround()", "missing argument"),
            ("_ = try await Turn(vault.processLock)", "'fileprivate' protection level"),
            ("turn.pause()", "cannot use mutating member|immutable"),
            ("let other = turn; _ = other", "'turn' is borrowed and cannot be consumed"),
        ]
        let head = Self.head.replacing("import Thumbturn\n", with: "@testable import Thumbturn\n")
        for (body, error) in bodies {
            let function = "func body(_ vault: isolated Vault, _ turn: borrowing Turn) async throws { \(body) }\n"
            let told = try Compiler.errors(in: head + function).map(\.message)
            let known = error.split(separator: "|")
            #expect(
                error.isEmpty ? told.isEmpty : told.contains { text in known.contains { text.contains($0) } },
                "\(told)"
            )
        }
    }

    @Test func `what an app writes compiles`() throws {
        let errors = try Compiler.errors(in: Self.source(Self.right))
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(.holds("P-107-01", "A61", "C15", "K-02"))
    func `authorisations, proofs and keys can be neither made nor left out`() throws {
        try Self.expect(Self.wrong)
    }

    @Test(.holds("A61")) func `an authorisation is used up by the call that takes it`() throws {
        try Self.expect(Self.twice)
    }

    /// Holds each line to its error; one of several that a bar parts will do.
    private static func expect(_ mistakes: [(body: String, error: String)]) throws {
        let errors = try Compiler.errors(in: source(mistakes.map(\.body)))
        for (index, mistake) in mistakes.enumerated() {
            let told = errors.filter { $0.line == firstLine + index }.map(\.message)
            let known = mistake.error.split(separator: "|")
            let isTold = told.contains { message in known.contains { message.contains($0) } }
            #expect(isTold, "\(mistake.body): \(told)")
        }
    }
}
