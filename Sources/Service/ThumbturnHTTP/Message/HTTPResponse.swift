package import ThumbturnJSON

/// An answer; the server adds the framing (`Content-Length`, `Connection`, `Date`).
package struct HTTPResponse: Sendable {
    /// The status code, 200 to 599.
    package var status: Int
    /// Header fields in order.
    package var headers: [(String, String)]
    /// The content.
    package var body: [UInt8]
    /// How long to delay the answer, to slow down a client that asks too often; not applied to a trusted proxy, which
    /// serves others too.
    package var heldMilliseconds: Int64 = 0
    /// The code of a problem, for counts and logs; clients read it in the content.
    package var code: String?

    /// Creates an answer.
    package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Creates an answer with a JSON value.
    package init(status: Int, json: JSON, type: String = "application/json", headers: [(String, String)] = []) {
        let text = json.wireText
        self.init(status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
    }
}
