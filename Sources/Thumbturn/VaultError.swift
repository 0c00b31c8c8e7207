public import ThumbturnRules

/// What the library throws: a stable code, and perhaps a word for the log.
public struct VaultError: Error, Equatable, Sendable {
    /// What went wrong, what the user reads, and what the user can do.
    public let code: ErrorCode
    /// For logs; never input, identifiers or key material.
    public let diagnostic: String?

    init(_ code: ErrorCode, _ diagnostic: String? = nil) {
        self.code = code
        self.diagnostic = diagnostic
    }
}
