import ThumbturnCrypto
package import ThumbturnJSON
package import ThumbturnRules

/// A problem answer (RFC 9457): its code, and what a client needs to continue.
///
/// It contains nothing from the request but names of members in the document.
package struct Problem: Error, Sendable {
    /// The reason.
    package let code: ProblemCode
    /// How long to wait before trying again.
    package var retryAfter: Milliseconds?
    /// The additional members that the document defines for this code.
    package var members: [(String, JSON)] = []
    /// The store's error, so that a transaction can pass it on to the store.
    package private(set) var failure: StoreError?

    /// Creates a problem with a code only.
    package init(_ code: ProblemCode) { self.code = code }

    /// Returns a problem about a malformed member, with the member's name in the document.
    static func form(_ member: String) -> Problem {
        var refusal = Problem(.form)
        refusal.members = [("member", .string(member))]
        return refusal
    }

    /// Returns a problem about an A whose width belongs to another group than `group`.
    static func group(_ group: SRPGroup) -> Problem {
        var problem = Problem(.group)
        problem.members = [("group", .string(group.rawValue))]
        return problem
    }

    /// Returns a refusal of an upload that leaves out records.
    ///
    /// - Parameters:
    ///   - seq: the record to begin with.
    ///   - head: what it has to continue.
    static func gap(expected seq: UInt64, head: [UInt8]) -> Problem {
        var problem = Problem(.gap)
        problem.members = [("expectedSeq", .integer(Int64(clamping: seq))), ("headHash", .string(head.hexadecimal))]
        return problem
    }

    /// Returns a refusal of an upload for one of its lines, counted from 0.
    static func line(_ number: Int, _ code: ProblemCode) -> Problem {
        var problem = Problem(code)
        problem.members = [("line", JSON(number))]
        return problem
    }

    /// Returns a refusal with a delay of at least one second, the unit of Retry-After.
    static func wait(_ span: Milliseconds, _ code: ProblemCode = .wait) -> Problem {
        var refusal = Problem(code)
        refusal.retryAfter = max(span, .seconds(1))
        return refusal
    }

    /// Converts a failure of the store.
    init(store error: StoreError) {
        switch error {
        case .busy: self = .wait(.seconds(1), .busy)
        case .unavailable, .newerFormat, .unsafeFile, .absent, .folderMissing:
            self = .wait(.seconds(2), .storeUnavailable)
        case .keyMissing: self = .wait(.seconds(2), .keyMissing)
        case .uncertain: self = .wait(.seconds(2), .storeUncertain)
        case .full: self = .wait(.seconds(30), .storeFull)
        case .tampered, .damaged: self.init(.damaged)
        case .conflict, .other: self.init(.broken)
        }
        failure = error
    }

    /// The body of the answer.
    var document: JSON {
        .object(
            [
                ("type", "about:blank"), ("title", .string(Self.title(of: code.status))), ("status", JSON(code.status)),
                ("code", .string(code.text)), ("detail", .string(code.detail)),
            ] + members
        )
    }

    /// The seconds to wait, rounded up.
    var retryAfterSeconds: Int64? { retryAfter.map { ($0.count + 999) / 1_000 } }

    /// Returns the phrase of a status, the title of a problem without its own type (RFC 9457 §4.2.1).
    static func title(of status: Int) -> String {
        switch status {
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 409: "Conflict"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 503: "Service Unavailable"
        case 507: "Insufficient Storage"
        default: "Internal Server Error"
        }
    }
}
