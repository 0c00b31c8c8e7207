import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON

/// One call of the service: its request, its answer, and every problem that it may answer with.
///
/// Route and document are both made from it, so they can't disagree.
struct Endpoint: Sendable {
    /// The content of a request.
    enum Content: Sendable {
        case none
        /// An object with these members, of at most 64 KiB.
        case json(Shape)
        /// JSON values of a schema, one a line, together of at most so many bytes; the handler gets them as they came.
        case lines(maximum: Int, ofLine: JSON)

        static func json(required: [Shape.Described], optional: [Shape.Described] = []) -> Content {
            .json(Shape(required: required, optional: optional))
        }
    }

    /// The schema of 32 bytes.
    static let hexadecimal64: JSON = ["type": "string", "pattern": "^[0-9a-f]{64}$"]

    let method: HTTPMethod
    let pattern: String
    /// Whether the last name of the pattern matches all parts that are left.
    var isOpenEnded = false
    let name: String
    let summary: String
    var parameters: [Operation.Parameter] = []
    var content = Content.none
    var needsToken = false
    /// Whether it needs an auditor's token, to which no answer is proved.
    var needsAuditor = false
    /// Whether it completes a login, so that its answer is proved to the client; answers to a token always are.
    var endsLogin = false
    let answer: Operation.Answer
    /// Further answers that are not problems, such as one that says less.
    var furtherAnswers: [Operation.Answer] = []
    /// The problems specific to this endpoint, besides those of every endpoint of its kind.
    var problems: [ProblemCode] = []
    /// The problem that has the answer's header fields too, if any.
    var provedProblem: ProblemCode?
    /// Whether a body of any type is passed to the handler, which refuses them all.
    var takesAnyType = false
    var usesStore = true
    let handler: @Sendable (Exchange) throws(Problem) -> HTTPAnswer

    /// Every code that the endpoint may answer with.
    var allProblems: [ProblemCode] {
        var codes = problems
        if needsToken || needsAuditor { codes = [.token] + codes }
        if content.shape != nil { codes += [.notJSON, .refusedJSON] }
        if content.shape != nil || !parameters.isEmpty { codes.append(.form) }
        if usesStore {
            codes += [.busy, .storeUnavailable, .storeUncertain, .storeFull, .keyMissing, .damaged, .broken]
        }
        return codes
    }

    var route: Route<Worker> {
        let queries = parameters.filter { $0.place == .query }.map(\.name)
        return Route(
            method,
            pattern,
            isOpenEnded: isOpenEnded,
            maximumBody: content.maximumByteCount,
            contentType: takesAnyType ? nil : content.type,
            document: Operation(
                name,
                summary,
                parameters: parameters,
                request: content.schema,
                answers: ([answer] + furtherAnswers).map(proved) + refusals,
                needsToken: needsToken || needsAuditor
            )
        ) { request, worker in
            worker.trace.route = pattern
            do throws(Problem) { return try handler(Exchange(request, worker, content.shape, queries)) } catch {
                return .now(worker.refusing(error))
            }
        }
    }

    /// Returns an answer with the header field that proves it to the client, if it has one.
    private func proved(_ answer: Operation.Answer) -> Operation.Answer {
        guard needsToken || endsLogin else { return answer }
        var answer = answer
        answer.fields.append(
            (
                AnswerProof.field,
                "HMAC-SHA256 over request and answer, under a key of the login: who has it answered.",
                Self.hexadecimal64
            )
        )
        return answer
    }

    /// One answer per status, listing its codes.
    private var refusals: [Operation.Answer] {
        let codes = allProblems
        return Set(codes.map(\.status)).sorted().map { status in
            let words = codes.filter { $0.status == status }.map { code in "`\(code.text)`: \(code.detail)" }
            var refusal = Operation.Answer.problem(status, words.joined(separator: " "))
            if status == provedProblem?.status { refusal.fields = answer.fields }
            return refusal
        }
    }
}

extension Endpoint.Content {
    /// The members of a JSON body; `nil` if it is none.
    var shape: Shape? {
        switch self {
        case .none, .lines: nil
        case .json(let shape): shape
        }
    }

    fileprivate var maximumByteCount: Int {
        switch self {
        case .none: 0
        case .json: 65_536
        case .lines(let maximum, _): maximum
        }
    }

    fileprivate var type: String? {
        switch self {
        case .none: nil
        case .json: "application/json"
        case .lines: JSONLines.type
        }
    }

    fileprivate var schema: JSON? {
        switch self {
        case .none: nil
        case .json(let shape): shape.schema
        case .lines(let maximum, let line): JSONLines.schema(ofLine: line, atMost: maximum)
        }
    }
}
