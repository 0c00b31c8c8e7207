import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON

/// One call of the service: its request, its answer, and every problem that it may answer with.
///
/// Route and document are both made from it, so they can't disagree.
struct Endpoint: Sendable {
    /// The maximum number of bytes of a JSON body.
    private static let mostBody = 65_536
    /// The schema of 32 bytes.
    static let hexadecimal64: JSON = ["type": "string", "pattern": "^[0-9a-f]{64}$"]

    let method: HTTPMethod
    let pattern: String
    let name: String
    let summary: String
    var parameters: [Operation.Parameter] = []
    /// The members of the body; `nil` if there is none.
    var body: Shape?
    var needsToken = false
    /// Whether it completes a login, so that its answer is proved to the client; answers to a token always are.
    var endsLogin = false
    let answer: Operation.Answer
    /// The problems specific to this endpoint, besides those of every endpoint of its kind.
    var problems: [ProblemCode] = []
    /// The problem that has the answer's header fields too, if any.
    var provedProblem: ProblemCode?
    /// Whether a body of any type is passed to the handler, which refuses them all.
    var takesAnyType = false
    var usesStore = true
    let handler: @Sendable (Exchange) throws(Problem) -> HTTPResponse

    /// Every code that the endpoint may answer with.
    var allProblems: [ProblemCode] {
        var codes = problems
        if needsToken { codes = [.token] + codes }
        if body != nil { codes += [.notJSON, .refusedJSON] }
        if body != nil || !parameters.isEmpty { codes.append(.form) }
        if usesStore {
            codes += [.busy, .storeUnavailable, .storeUncertain, .storeFull, .keyMissing, .damaged, .broken]
        }
        return codes
    }

    var route: Route<Worker> {
        Route(
            method,
            pattern,
            maximumBody: body == nil ? 0 : Self.mostBody,
            contentType: body == nil || takesAnyType ? nil : "application/json",
            document: Operation(
                name,
                summary,
                parameters: parameters,
                request: body?.schema,
                answers: [provedAnswer] + refusals,
                needsToken: needsToken
            )
        ) { request, worker in
            worker.trace.route = pattern
            do throws(Problem) { return try handler(Exchange(request, worker, body)) } catch {
                return worker.refusing(error)
            }
        }
    }

    private var provedAnswer: Operation.Answer {
        guard needsToken || endsLogin else { return answer }
        var answer = answer
        answer.fields = [
            (
                AnswerProof.field,
                "HMAC-SHA256 over request and answer, under a key of the login: who has it answered.",
                Self.hexadecimal64
            )
        ]
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
