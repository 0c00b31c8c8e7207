extension RequestHead {
    /// Checks the header fields against the rules of RFC 9112 where two readers could differ.
    init(_ line: RequestLine, _ headers: HTTPHeaders) throws(Refusal) {
        try Self.checkHost(headers, isVersion1_0: line.isVersion1_0)
        let content = try Self.content(headers, isVersion1_0: line.isVersion1_0)
        let options = headers["connection"]?.listed ?? []
        expectsContinue = try Self.expectsContinue(headers, isVersion1_0: line.isVersion1_0) && content != .none
        keepsAlive = !line.isVersion1_0 && !options.contains { $0.reads("close") }
        (method, path, query) = (line.method, line.path, line.query)
        (self.headers, self.content) = (headers, content)
    }

    /// Checks `Host`: HTTP/1.1 requires exactly one (RFC 9112 §3.2), which may be empty; no decision depends on it.
    private static func checkHost(_ headers: HTTPHeaders, isVersion1_0: Bool) throws(Refusal) {
        let hosts = headers.values(of: "host")
        let isThere = hosts.count == 1 || hosts.isEmpty && isVersion1_0
        guard isThere, hosts.allSatisfy({ $0.utf8.allSatisfy(Characters.isOfHost) }) else { throw .malformed(.host) }
    }

    /// Returns the length of the content (RFC 9112 §6).
    ///
    /// If two header fields state it, or one states it twice, a proxy and this server could see two different requests.
    private static func content(_ headers: HTTPHeaders, isVersion1_0: Bool) throws(Refusal) -> Content {
        let lengths = headers.values(of: "content-length")
        let codings = headers.values(of: "transfer-encoding")
        guard lengths.isEmpty || codings.isEmpty else { throw .malformed(.bothLengths) }
        if !codings.isEmpty {
            try checkCodings(codings, isVersion1_0: isVersion1_0)
            return .chunked
        }
        guard let length = lengths.first else { return .none }
        // 18 digits fit into 64 bits.
        guard lengths.count == 1, length.utf8.allSatisfy(Characters.isDigit), length.utf8.count <= 18,
            let byteCount = Int(length)
        else { throw .malformed(.contentLength) }
        return byteCount == 0 ? .none : .fixed(byteCount)
    }

    private static func checkCodings(_ codings: [String], isVersion1_0: Bool) throws(Refusal) {
        let names = codings[0].listed
        let isFramed = names.last?.reads("chunked") == true && names.count { $0.reads("chunked") } == 1
        guard codings.count == 1, isFramed, !isVersion1_0 else { throw .malformed(.transferEncoding) }
        guard names.count == 1 else { throw .unknownTransferCoding }
    }

    private static func expectsContinue(_ headers: HTTPHeaders, isVersion1_0: Bool) throws(Refusal) -> Bool {
        guard let expectation = headers["expect"], !isVersion1_0 else { return false }
        guard expectation.reads("100-continue") else { throw .expectationFailed }
        return true
    }
}
