import ThumbturnJSON

/// Why the server or its router answers a request in place of a handler.
package enum Refusal: Error, Hashable, Sendable {
    /// The request violates RFC 9112, or two readers could interpret it differently.
    case malformed(Malformation)
    /// The request was not complete in time.
    case timeout
    /// The request comes from where none is taken from, or without what permits it.
    case forbidden
    /// No route has this path.
    case notFound
    /// The path has routes, but none with this method.
    case methodNotAllowed(allowed: [HTTPMethod])
    /// The content is longer than the route allows, in bytes.
    case bodyTooLarge(maximum: Int)
    /// The request line is too long.
    case targetTooLong
    /// The content's type is not the one that the route reads.
    case unsupportedMediaType(expected: String)
    /// `Expect` demands something other than `100-continue`.
    case expectationFailed
    /// The header fields are too long.
    case headersTooLarge
    /// The handler promised an answer and gave none.
    case unanswered
    /// No route can have this method.
    case unknownMethod
    /// The content has a transfer coding that this server can't decode.
    case unknownTransferCoding
    /// The client's network has too many connections.
    case tooManyConnections
    /// The server has too many connections or requests.
    case busy
    /// The version is neither HTTP/1.0 nor HTTP/1.1.
    case unknownVersion
}

extension Refusal {
    /// The status code of the answer.
    package var status: Int {
        switch self {
        case .malformed: 400
        case .forbidden: 403
        case .notFound: 404
        case .methodNotAllowed: 405
        case .timeout: 408
        case .bodyTooLarge: 413
        case .targetTooLong: 414
        case .unsupportedMediaType: 415
        case .expectationFailed: 417
        case .tooManyConnections: 429
        case .headersTooLarge: 431
        case .unanswered: 500
        case .unknownMethod, .unknownTransferCoding: 501
        case .busy: 503
        case .unknownVersion: 505
        }
    }

    /// A stable code for programs.
    package var code: String {
        switch self {
        case .malformed: "MALFORMED_REQUEST"
        case .forbidden: "FORBIDDEN"
        case .notFound: "NOT_FOUND"
        case .methodNotAllowed: "METHOD_NOT_ALLOWED"
        case .timeout: "REQUEST_TIMEOUT"
        case .bodyTooLarge: "BODY_TOO_LARGE"
        case .targetTooLong: "TARGET_TOO_LONG"
        case .unsupportedMediaType: "MEDIA_TYPE"
        case .expectationFailed: "EXPECTATION"
        case .headersTooLarge: "HEADERS_TOO_LARGE"
        case .unanswered: "INTERNAL"
        case .unknownMethod: "UNKNOWN_METHOD"
        case .unknownTransferCoding: "TRANSFER_CODING"
        case .tooManyConnections: "CONNECTIONS"
        case .busy: "BUSY"
        case .unknownVersion: "HTTP_VERSION"
        }
    }

    /// An explanation that repeats nothing from the client.
    package var detail: String {
        switch self {
        case .malformed(let malformation): malformation.rawValue
        case .forbidden: "the request is not permitted"
        case .notFound: "there is nothing at this path"
        case .methodNotAllowed: "the path knows other methods, which Allow names"
        case .timeout: "the request did not come in whole in time"
        case .bodyTooLarge(let maximum): "the body may have \(maximum) bytes at most"
        case .targetTooLong: "the request line is too long"
        case .unsupportedMediaType(let expected): "the body has to be \(expected)"
        case .expectationFailed: "of expectations only 100-continue is met"
        case .headersTooLarge: "the header fields are too long"
        case .unanswered: "the request was taken and not answered"
        case .unknownMethod: "the method is not known here"
        case .unknownTransferCoding: "of transfer codings only chunked is known"
        case .tooManyConnections: "this network has as many connections as it may"
        case .busy: "too much is under way; try again"
        case .unknownVersion: "HTTP/1.1 is spoken here"
        }
    }

    /// The header fields that the answer needs, independent of its content.
    package var headers: [(String, String)] {
        switch self {
        case .methodNotAllowed(let allowed): [("Allow", allowed.map(\.rawValue).joined(separator: ", "))]
        case .busy: [("Retry-After", "1")]
        case .tooManyConnections: [("Retry-After", "5")]
        case .malformed, .timeout, .forbidden, .notFound, .bodyTooLarge, .targetTooLong, .unsupportedMediaType,
            .expectationFailed, .headersTooLarge, .unanswered, .unknownMethod, .unknownTransferCoding, .unknownVersion:
            []
        }
    }

    /// The refusal as a problem document (RFC 9457).
    package var problem: HTTPResponse {
        let document: JSON = [
            "type": "about:blank", "title": .string(HTTPResponse.reason(status)), "status": JSON(status),
            "detail": .string(detail), "code": .string(code),
        ]
        var response = HTTPResponse(status: status, json: document, type: "application/problem+json")
        response.code = code
        return response
    }
}
