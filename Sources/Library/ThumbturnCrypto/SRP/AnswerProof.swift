/// A service's proof of an answer, under K of the login that it answers.
///
/// A relay between both sides can pass on a genuine M2, and without this proof could forge the rest.
///
/// The header field `Thumbturn-Proof` contains, in lower-case hexadecimal digits, HMAC-SHA256, under HKDF-SHA256 of K
/// with `info` `thumbturn.v1.answer`, of these lines, each but the last with a line end:
///
///     thumbturn.answer.v1
///     <method> <path>
///     <SHA-256 of the request's body, in hexadecimal digits>
///     <status>
///     <SHA-256 of the answer's body>
package enum AnswerProof {
    /// The header field's name.
    package static let field = "Thumbturn-Proof"

    /// Returns the bytes that the proof authenticates.
    ///
    /// - Parameters:
    ///   - path: as it was sent.
    ///   - request: the SHA-256 of the request's body.
    ///   - body: the SHA-256 of the answer's.
    package static func message(
        _ method: String,
        _ path: String,
        request: [UInt8],
        status: Int,
        body: [UInt8]
    ) -> [UInt8] {
        let lines = ["thumbturn.answer.v1", "\(method) \(path)", digits(request), "\(status)", digits(body)]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func digits(_ digest: [UInt8]) -> String {
        String(decoding: TextCode.hexadecimal.encode(digest), as: UTF8.self)
    }
}
