extension HTTPResponse {
    /// Returns the bytes to send.
    ///
    /// Only this function writes the framing: a handler's header fields that would affect it are left out, and no value
    /// can start a new line.
    ///
    /// - Parameters:
    ///   - closes: whether the connection ends with this answer.
    ///   - omitsBody: whether the request was a `HEAD`, whose answer never has content.
    ///   - date: seconds since 1970.
    func wire(closes: Bool, omitsBody: Bool = false, date: Int) -> [UInt8] {
        let hasContent = status >= 200 && status != 204 && status != 304
        var head = "HTTP/1.1 \(status) \(Self.reason(status))\r\nDate: \(HTTPDate.text(date))\r\n"
        for (name, value) in headers.map({ (Self.clean($0.0), $0.1) }) where !Self.framing.contains(name.lowercased()) {
            head += "\(name): \(Self.clean(value))\r\n"
        }
        if hasContent { head += "Content-Length: \(body.count)\r\n" }
        if closes { head += "Connection: close\r\n" }
        head += "\r\n"
        var bytes: [UInt8] = []
        let sent = hasContent && !omitsBody ? body : []
        bytes.reserveCapacity(head.utf8.count + sent.count)
        bytes += head.utf8
        bytes += sent
        return bytes
    }

    private static let framing: Set = ["content-length", "transfer-encoding", "connection", "date"]

    private static func clean(_ text: String) -> String {
        guard !text.utf8.allSatisfy(Characters.isOfValue) else { return text }
        return String(decoding: text.utf8.filter(Characters.isOfValue), as: UTF8.self)
    }

    /// Returns the reason phrase of a status code (RFC 9110 §15).
    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 202: "Accepted"
        case 204: "No Content"
        case 303: "See Other"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 405: "Method Not Allowed"
        case 408: "Request Timeout"
        case 409: "Conflict"
        case 413: "Content Too Large"
        case 414: "URI Too Long"
        case 415: "Unsupported Media Type"
        case 417: "Expectation Failed"
        case 422: "Unprocessable Content"
        case 429: "Too Many Requests"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 501: "Not Implemented"
        case 503: "Service Unavailable"
        case 505: "HTTP Version Not Supported"
        case 507: "Insufficient Storage"
        default: "Status"
        }
    }
}
