/// Why a vault call failed, with a stable code and what to do.
public struct VaultError: Error, Equatable, Sendable {
    /// What went wrong; equality compares only this.
    public let code: ErrorCode
    /// How long the attempt schedule requires to wait; nil for every code but `attemptDelayed`.
    public let retryAfter: Milliseconds?
    /// Whether a recovery key opens the vault in the meantime; false for every code but `attemptDelayed`.
    public let recoveryKeyOpens: Bool
    /// Details for a log: never input, names or key material.
    public let diagnostic: String?
    /// What the device answered, where it refused: a cancel by the user, one by the system, a mismatch and a lockout are
    /// four answers, even where they lead to one code; nil for every other error.
    public let refusal: DeviceRefusal.Meaning?
    /// The number with which a system below refused: for a log or a report, never to decide by.
    ///
    /// Equality leaves it out, because a system may say one thing with many numbers.
    public let underlying: UnderlyingCode?
    /// The storage problem to explain to a person; the diagnostic of such an error is not meant for that.
    package let fault: StorageFault?

    /// Creates the error for a code, for stand-ins of a vault.
    public init(_ code: ErrorCode) { self.init(code, nil) }

    package init(
        _ code: ErrorCode,
        _ diagnostic: String? = nil,
        fault: StorageFault? = nil,
        underlying: UnderlyingCode? = nil,
        refusal: DeviceRefusal.Meaning? = nil
    ) {
        self.code = code
        self.diagnostic = diagnostic
        self.fault = fault
        self.underlying = underlying
        self.refusal = refusal
        (retryAfter, recoveryKeyOpens) = (nil, false)
    }

    /// Creates the error for a code to which a device's refusal led.
    package init(_ code: ErrorCode, _ diagnostic: String? = nil, because refusal: DeviceRefusal?) {
        self.init(code, diagnostic, underlying: refusal?.underlying, refusal: refusal?.meaning)
    }

    /// Creates the error for a delay of the attempt schedule.
    package init(waiting span: Milliseconds, recoveryKeyOpens: Bool) {
        code = .attemptDelayed
        diagnostic = nil
        fault = nil
        (underlying, refusal) = (nil, nil)
        (retryAfter, self.recoveryKeyOpens) = (span, recoveryKeyOpens)
    }

    /// Two errors are equal when their codes are.
    public static func == (left: VaultError, right: VaultError) -> Bool { left.code == right.code }
}
