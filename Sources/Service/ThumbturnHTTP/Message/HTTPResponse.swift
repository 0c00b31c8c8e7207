package import ThumbturnJSON

/// What is answered; the server itself adds what frames it (`Content-Length`, `Connection`, `Date`).
package struct HTTPResponse: Sendable {
    /// The status code, 200 to 599.
    package var status: Int
    /// Header fields in order.
    package var headers: [(String, String)]
    /// The content.
    package var body: [UInt8]
    /// How long it is held back, so that who asks too often asks less; not from a trusted proxy, which asks for others too.
    package var heldMilliseconds: Int64 = 0

    /// An answer of any kind.
    package init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// An answer that is a JSON value.
    package init(status: Int, json: JSON, type: String = "application/json", headers: [(String, String)] = []) {
        let text = json.text(escaping: JSON.shortestEscape)
        self.init(status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
    }
}
