package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The failure of a command: an error code, and what the command knows beyond it.
///
/// It never contains unexpected input, which may be a secret in the wrong place.
package struct Failure: Error, Hashable {
    /// The error code.
    package let code: ErrorCode
    /// What happened, if the code's message would mislead.
    package var statement: Words?
    /// A detail of what happened.
    package var detail: Words?
    /// What to do, if the code that failed knows better than `Hints`.
    package var hint: Words?
    /// The code that selects the hint otherwise.
    package var advised: ErrorCode
    /// The secret that the vault's owner proves: for an account's vault no text says "PIN".
    package var factor = VaultPolicy.StrongFactor.localSecret
    /// The delay that the attempt schedule demands.
    package var retryAfter: Milliseconds?
    /// The number with which a system below refused.
    package var underlying: UnderlyingCode?
    /// Whether the failure's JSON is already on standard output.
    package var isPrinted = false

    /// Creates a failure with the code's message and a detail.
    package init(_ code: ErrorCode, _ detail: Words? = nil, hint: Words? = nil) {
        self.code = code
        self.detail = detail
        self.hint = hint
        advised = code
    }

    /// Creates a failure with a message of its own.
    package init(_ code: ErrorCode, statement: Words, hint: Words? = nil) {
        self.init(code, hint: hint)
        self.statement = statement
    }

    /// Creates a failure for a failed system call.
    package init(errno number: Int32, _ detail: Words) {
        self.init(number == ENOSPC || number == EDQUOT ? .diskFull : .storageUnavailable, detail)
    }

    /// Creates a failure for a delay of the attempt schedule.
    package init(waiting span: Milliseconds) {
        self.init(.attemptDelayed, .span(span))
        retryAfter = span
    }

    /// The exit code of a command with this failure (design section 8).
    package var exitCode: Int32 { Int32(code.category.rawValue) }

    /// Returns what happened, in one line.
    package func message(in language: Language) -> String {
        let message = statement?.in(language) ?? code.message(in: language, asking: factor)
        guard let detail = detail?.in(language), !detail.isEmpty else { return message }
        return (message.hasSuffix(".") ? String(message.dropLast()) : message) + " (\(detail))."
    }
}
