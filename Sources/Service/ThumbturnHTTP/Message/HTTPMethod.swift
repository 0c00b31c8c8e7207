/// The methods that this server recognises (RFC 9110 §9.3, RFC 5789, OpenAPI 3.2 for QUERY); names are case-sensitive.
package enum HTTPMethod: String, CaseIterable, Sendable {
    case get = "GET"
    case head = "HEAD"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    case options = "OPTIONS"
    case trace = "TRACE"
    case connect = "CONNECT"
    case query = "QUERY"
}
