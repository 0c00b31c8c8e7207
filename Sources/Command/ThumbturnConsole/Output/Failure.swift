package import ThumbturnRules

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Why a command did not do what was asked: a code of the catalogue, and what the command knows besides.
///
/// It never holds a word that nobody expected, which may be a secret in the wrong place.
package struct Failure: Error, Hashable {
    /// What kind of failure it is.
    package let code: ErrorCode
    /// What happened, where the catalogue's words would mislead.
    package var statement: Words?
    /// More about what happened.
    package var detail: Words?
    /// What to do, where who failed knows better than `Hints`.
    package var hint: Words?
    /// The code whose hint is given else.
    package var advised: ErrorCode
    /// What the owner of the vault proves: on an account's vault no text says "PIN".
    package var factor = VaultPolicy.StrongFactor.localSecret
    /// How long the attempt schedule wants to wait.
    package var retryAfter: Milliseconds?
    /// Whether standard output has its JSON already.
    package var isPrinted = false

    /// A failure in the catalogue's words, and more about it.
    package init(_ code: ErrorCode, _ detail: Words? = nil, hint: Words? = nil) {
        self.code = code
        self.detail = detail
        self.hint = hint
        advised = code
    }

    /// The same with words of its own for what happened.
    package init(_ code: ErrorCode, statement: Words, hint: Words? = nil) {
        self.init(code, hint: hint)
        self.statement = statement
    }

    /// A system call that failed.
    package init(errno number: Int32, _ detail: Words) {
        self.init(number == ENOSPC || number == EDQUOT ? .diskFull : .storageUnavailable, detail)
    }

    /// A delay of the attempt schedule.
    package init(waiting span: Milliseconds) {
        self.init(.attemptDelayed, .span(span))
        retryAfter = span
    }

    /// How a command ends that meets it (design section 8).
    package var exitCode: Int32 { Int32(code.category.rawValue) }

    /// What happened, in one line.
    package func message(in language: Language) -> String {
        let message = statement?.in(language) ?? code.message(in: language, asking: factor)
        guard let detail = detail?.in(language), !detail.isEmpty else { return message }
        return (message.hasSuffix(".") ? String(message.dropLast()) : message) + " (\(detail))."
    }
}
