/// Why the vault did not do what was asked, with a stable code and a way on.
public struct VaultError: Error, Equatable, Sendable {
    /// What went wrong; equality looks at nothing else.
    public let code: ErrorCode
    /// How long the attempt schedule wants to wait; nil for every code but `attemptDelayed`.
    public let retryAfter: Milliseconds?
    /// Whether a recovery key opens the vault meanwhile; false for every code but `attemptDelayed`.
    public let recoveryKeyOpens: Bool
    /// More for a log: never input, names or key material.
    public let diagnostic: String?
    /// What storage suffers from, for who tells a person; the diagnostic of such an error is not for one.
    package let fault: StorageFault?

    /// Makes the error of a code, for what stands in for a vault.
    public init(_ code: ErrorCode) { self.init(code, nil) }

    package init(_ code: ErrorCode, _ diagnostic: String? = nil, fault: StorageFault? = nil) {
        self.code = code
        self.diagnostic = diagnostic
        self.fault = fault
        (retryAfter, recoveryKeyOpens) = (nil, false)
    }

    /// A delay of the attempt schedule.
    package init(waiting span: Milliseconds, recoveryKeyOpens: Bool) {
        code = .attemptDelayed
        diagnostic = nil
        fault = nil
        (retryAfter, self.recoveryKeyOpens) = (span, recoveryKeyOpens)
    }

    /// Two errors are equal when their codes are.
    public static func == (left: VaultError, right: VaultError) -> Bool { left.code == right.code }
}
