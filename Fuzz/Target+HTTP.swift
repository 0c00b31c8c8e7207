import ThumbturnHTTP

extension Target {
    /// Requests of every form, one behind the other on one connection.
    static var http: Target {
        text("http", requests) { bytes in
            let whole = heard(bytes, inPiecesOf: bytes.count)
            guard whole == heard(bytes, inPiecesOf: 1), whole == heard(bytes, inPiecesOf: 7) else {
                return reportBug("requests that are others when they come in other pieces")
            }
            guard !whole.contains(where: { $0.hasPrefix("refused") }) else { throw FuzzError(what: "refused") }
        }
    }

    private static let requests: [[UInt8]] = {
        let framings = [
            "Content-Length: 5\r\n\r\nhello",
            "Transfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nA: b\r\n\r\n", "\r\n",
        ]
        let post = "POST /v1/login?a=%20 HTTP/1.1\r\nHost: [::1]:8107\r\nAuthorization: Bearer abc\r\n"
        return [framings.map { Array((post + $0).utf8) }.reduce([], +), Array("GET http://a/b HTTP/1.0\r\n\r\n".utf8)]
    }()

    /// What a connection makes of bytes: each request that is handed over, and the refusal that ends it.
    private static func heard(_ bytes: [UInt8], inPiecesOf size: Int) -> [String] {
        var conversation = Conversation(HTTPLimits(), at: 0)
        var heard: [String] = []
        var start = 0
        while start < bytes.count {
            conversation.receive(bytes[start...].prefix(size))
            start += size
            while true {
                switch conversation.next(at: 0, admit: { _ in .admitted(maximumBody: 4_096) }) {
                case .wait: break
                case .sendContinue: continue
                case .close: return heard
                case .hand(let head, let content):
                    heard.append("\(head.method) \(head.path) \(head.query ?? "-") \(content.bytes)")
                    conversation.answered(closes: !conversation.keepsAlive, at: 0)
                    continue
                case .refuse(let refusal): return heard + ["refused \(refusal.code)"]
                }
                break
            }
        }
        return heard
    }
}
