/// Why a request is malformed, explained for the author of the client.
package enum Malformation: String, Hashable, Sendable {
    case controlCharacter = "a control character stands in the head"
    case bareLineFeed = "a line does not end in CR LF"
    case requestLine = "the request line is not method, target and version with one space between"
    case target = "the target is no path, no URL with one, and no * of OPTIONS"
    case headerLine = "a header line is not a name, a colon and a value"
    case foldedHeader = "a header line is folded"
    case host = "there has to be one Host, and it has to be a host"
    case contentLength = "there may be one Content-Length, and it has to be digits"
    case transferEncoding = "chunked has to be the only or the last transfer coding, of HTTP/1.1, in one header"
    case bothLengths = "Content-Length and Transfer-Encoding exclude each other"
    case chunk = "a chunk is not its size in hexadecimal, CR LF, so many bytes, CR LF"
    case trailer = "the lines behind the last chunk are no header lines"
    case parameter = "a part of the path is no UTF-8"
}
