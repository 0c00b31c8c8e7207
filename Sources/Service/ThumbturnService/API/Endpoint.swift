import ThumbturnCrypto
import ThumbturnHTTP
import ThumbturnJSON

/// One call of the service: what it takes, how it answers, and every problem that it may answer with.
///
/// Route and document are both made of it, so neither can say what the other does not.
struct Endpoint: Sendable {
    /// How much JSON a body may be.
    private static let mostBody = 65_536

    let method: HTTPMethod
    let pattern: String
    let name: String
    let summary: String
    var parameters: [Operation.Parameter] = []
    /// What the body may hold; nil where there is none.
    var body: Shape?
    var needsToken = false
    /// Whether the answer is proved to a login; what needs a token is.
    var endsLogin = false
    let answer: Operation.Answer
    /// What it refuses with, beside what all calls of its kind do.
    var problems: [ProblemCode] = []
    /// The problem that has the header fields of the answer too, if one has.
    var provedProblem: ProblemCode?
    /// Whether a body of any type comes as far as the handler: one that refuses them all.
    var takesAnyType = false
    /// Whether it asks the store.
    var usesStore = true
    let handler: @Sendable (Exchange) throws(Problem) -> HTTPResponse

    /// Every code that the call may answer with.
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

    /// The line of the router's table.
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
                API.hexadecimal64
            )
        ]
        return answer
    }

    /// An answer for each status, which names its codes.
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
