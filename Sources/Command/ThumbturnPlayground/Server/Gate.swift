import ThumbturnHTTP

/// Decides from the head of a request whether it comes from the one page that may ask.
///
/// A page of another site reaches this port too: through its own name that it points here (Host), by posting a form
/// (Origin), or with the browser's cookies (SameSite). Another user of the machine has no cookie, unless the browser is
/// led to a port of theirs on this address: a cookie knows no port. What it opens is a simulated phone.
struct Gate: Sendable {
    /// The cookie's name: of two playgrounds on this address, which share cookies, each has its own.
    private let cookie: String
    static let tokenName = "token"

    private let token: Token
    /// What may stand in `Host`.
    private let hosts: Set<String>

    init(_ token: Token, port: UInt16) {
        self.token = token
        cookie = "playground-\(port)"
        hosts = ["127.0.0.1:\(port)", "localhost:\(port)"]
    }

    /// Whether a request may pass; one that brings the token in its address may, for the cookie.
    func permits(_ head: RequestHead) -> Bool {
        guard isOwn(head.method, head.headers) else { return false }
        if head.method == .get, head.path == "/", let query = head.query {
            return token.isSame(as: query.dropFirst(Self.tokenName.count + 1)) && query.hasPrefix(Self.tokenName + "=")
        }
        return hasCookie(head.headers)
    }

    /// The header field that moves the token out of the address.
    func setCookie() -> (String, String) {
        ("Set-Cookie", "\(cookie)=\(token.text); HttpOnly; SameSite=Strict; Path=/")
    }

    private func isOwn(_ method: HTTPMethod, _ headers: HTTPHeaders) -> Bool {
        let (named, origins) = (headers.values(of: "host"), headers.values(of: "origin"))
        guard named.count == 1, hosts.contains(named[0]) else { return false }
        if origins.isEmpty { return method == .get }
        return origins == ["http://" + named[0]]
    }

    private func hasCookie(_ headers: HTTPHeaders) -> Bool {
        headers.values(of: "cookie").contains { field in
            field.split(separator: ";").contains { pair in
                let pair = pair.drop { $0 == " " }
                return pair.hasPrefix(cookie + "=") && token.isSame(as: pair.dropFirst(cookie.count + 1))
            }
        }
    }
}
