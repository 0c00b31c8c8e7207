import ThumbturnCrypto
package import ThumbturnJSON
package import ThumbturnRules

/// An answer that is a problem (RFC 9457): its code, and what a client needs to go on.
///
/// It holds nothing of what was sent but names of members that the document has.
package struct Problem: Error, Sendable {
    /// Why.
    package let code: ProblemCode
    /// How long to wait before it is worth another try.
    package var retryAfter: Milliseconds?
    /// What the document says that this code carries.
    package var members: [(String, JSON)] = []
    /// What the store threw, so that the store hears of it when it passes through a transaction.
    package private(set) var failure: StoreError?

    /// A refusal that its code says all of.
    package init(_ code: ProblemCode) {
        self.code = code
    }

    /// A member that is not of its form, by the name that the document has for it.
    static func form(_ member: String) -> Problem {
        var refusal = Problem(.form)
        refusal.members = [("member", .string(member))]
        return refusal
    }

    /// An A as wide as another group than this one.
    static func group(_ group: SRPGroup) -> Problem {
        var problem = Problem(.group)
        problem.members = [("group", .string(group.rawValue))]
        return problem
    }

    /// A refusal for so long; not less than a second, since that is what Retry-After counts.
    static func wait(_ span: Milliseconds, _ code: ProblemCode = .wait) -> Problem {
        var refusal = Problem(code)
        refusal.retryAfter = max(span, .seconds(1))
        return refusal
    }

    /// What a failure of the store is to a client.
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

    /// The body of the answer, and its seconds of Retry-After.
    var document: JSON {
        .object(
            [
                ("type", "about:blank"), ("title", .string(Self.title(of: code.status))), ("status", JSON(code.status)),
                ("code", .string(code.text)), ("detail", .string(code.detail)),
            ] + members
        )
    }

    /// How many whole seconds to wait.
    var retryAfterSeconds: Int64? { retryAfter.map { ($0.count + 999) / 1_000 } }

    /// The phrase of a status, which is the title of a problem of no type of its own (RFC 9457 §4.2.1).
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
