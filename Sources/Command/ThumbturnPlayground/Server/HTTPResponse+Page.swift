import ThumbturnHTTP
import ThumbturnJSON

extension HTTPResponse {
    /// The same answer, with what a browser must and must not do with it.
    var guarded: HTTPResponse {
        var response = self
        response.headers += Self.guards
        return response
    }

    /// An answer to the page.
    static func answer(_ json: JSON) -> HTTPResponse { HTTPResponse(status: 200, json: ["answer": json]).guarded }

    /// A refusal, as a problem document (RFC 9457).
    static func problem(_ status: Int, _ code: String, _ detail: String) -> HTTPResponse {
        let document: JSON = [
            "type": "about:blank", "status": JSON(status), "detail": .string(detail), "code": .string(code),
        ]
        return HTTPResponse(status: status, json: document, type: "application/problem+json").guarded
    }

    private static let guards = [
        ("Cache-Control", "no-store"),
        ("Content-Security-Policy", policy),
        ("Cross-Origin-Opener-Policy", "same-origin"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
    ]

    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
        form-action 'none'; frame-ancestors 'none'; base-uri 'none'
        """
}
