import ThumbturnJSON

/// Why the server, or its router, refuses a request before any handler saw it.
package enum Refusal: Error, Hashable, Sendable {
    /// The request is none by RFC 9112, or one that two readers could take for two different ones.
    case malformed(Malformation)
    /// The request did not come in whole in time.
    case timeout
    /// No route has this path.
    case notFound
    /// The path has routes, but none of this method.
    case methodNotAllowed(allowed: [HTTPMethod])
    /// The content is longer than the route allows, in bytes.
    case bodyTooLarge(maximum: Int)
    /// The request line is too long.
    case targetTooLong
    /// The content is of another type than the route reads.
    case unsupportedMediaType(expected: String)
    /// `Expect` asks for something else than `100-continue`.
    case expectationFailed
    /// The header fields are too long.
    case headersTooLarge
    /// No route could have such a method.
    case unknownMethod
    /// The content is coded in a way that this server can't undo.
    case unknownTransferCoding
    /// The client's network has as many connections as one may.
    case tooManyConnections
    /// As many connections or requests are under way as the server takes.
    case busy
    /// Neither HTTP/1.0 nor HTTP/1.1.
    case unknownVersion
}

extension Refusal {
    /// The status code of the answer.
    package var status: Int {
        switch self {
        case .malformed: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        case .timeout: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .unsupportedMediaType: 415
        case .expectationFailed: 417
        case .tooManyConnections: 429
        case .headersTooLarge: 431
        case .unknownMethod, .unknownTransferCoding: 501
        case .busy: 503
        case .unknownVersion: 505
        }
    }

    /// A stable word for programs.
    package var code: String {
        switch self {
        case .malformed: "MALFORMED_REQUEST"
        case .notFound: "NOT_FOUND"
        case .methodNotAllowed: "METHOD_NOT_ALLOWED"
        case .timeout: "REQUEST_TIMEOUT"
        case .bodyTooLarge: "BODY_TOO_LARGE"
        case .targetTooLong: "TARGET_TOO_LONG"
        case .unsupportedMediaType: "MEDIA_TYPE"
        case .expectationFailed: "EXPECTATION"
        case .headersTooLarge: "HEADERS_TOO_LARGE"
        case .unknownMethod: "UNKNOWN_METHOD"
        case .unknownTransferCoding: "TRANSFER_CODING"
        case .tooManyConnections: "CONNECTIONS"
        case .busy: "BUSY"
        case .unknownVersion: "HTTP_VERSION"
        }
    }

    /// What is wrong, in words; nothing that the client sent.
    package var detail: String {
        switch self {
        case .malformed(let malformation): malformation.rawValue
        case .notFound: "there is nothing at this path"
        case .methodNotAllowed: "the path knows other methods, which Allow names"
        case .timeout: "the request did not come in whole in time"
        case .bodyTooLarge(let maximum): "the body may have \(maximum) bytes at most"
        case .targetTooLong: "the request line is too long"
        case .unsupportedMediaType(let expected): "the body has to be \(expected)"
        case .expectationFailed: "of expectations only 100-continue is met"
        case .headersTooLarge: "the header fields are too long"
        case .unknownMethod: "the method is not known here"
        case .unknownTransferCoding: "of transfer codings only chunked is known"
        case .tooManyConnections: "this network has as many connections as it may"
        case .busy: "too much is under way; try again"
        case .unknownVersion: "HTTP/1.1 is spoken here"
        }
    }

    /// The header fields that belong to the answer, whatever its content is.
    package var headers: [(String, String)] {
        switch self {
        case .methodNotAllowed(let allowed): [("Allow", allowed.map(\.rawValue).joined(separator: ", "))]
        case .busy: [("Retry-After", "1")]
        case .tooManyConnections: [("Retry-After", "5")]
        case .malformed, .timeout, .notFound, .bodyTooLarge, .targetTooLong, .unsupportedMediaType, .expectationFailed,
            .headersTooLarge, .unknownMethod, .unknownTransferCoding, .unknownVersion:
            []
        }
    }

    /// The refusal as a problem document (RFC 9457).
    package var problem: HTTPResponse {
        let document: JSON = [
            "type": "about:blank", "title": .string(HTTPResponse.reason(status)), "status": JSON(status),
            "detail": .string(detail), "code": .string(code),
        ]
        return HTTPResponse(status: status, json: document, type: "application/problem+json")
    }
}
