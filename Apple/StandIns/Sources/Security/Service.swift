public import Foundation

/// What the other side of every exchange does: for the tests alone.
public final class Service: @unchecked Sendable {
    // Safe to share: `lock` guards all of it.

    /// The service of this process; tests take turns.
    public static let current = Service()

    /// What happens, one after the other.
    public enum Step: Sendable {
        /// TLS was agreed on, and the server's chain is to be judged.
        case trust(SecTrust)
        /// The server asks for a name and a password.
        case password
        /// The answer is a redirect to another place.
        case redirect(Int, URL)
        case head(Int, [String: String])
        case data(Data)
        case failure(URLError.Code)
        /// Nothing more comes.
        case silence
    }

    /// What a session was told.
    public struct Settings: Equatable, Sendable {
        public var timeout: Double
        public var isBare: Bool
        public var avoidsProxies: Bool
        public var atLeast: tls_protocol_version_t?
    }

    private let lock = NSLock()
    private var steps: [Step] = []
    private var seenRequests: [URLRequest] = []
    private var seenSettings: [Settings] = []

    /// What was asked since `set`, redirects that were followed among it.
    public var requests: [URLRequest] { lock.withLock { seenRequests } }
    public var settings: [Settings] { lock.withLock { seenSettings } }

    /// From now on every exchange goes so.
    public func set(_ steps: [Step]) {
        lock.withLock { (self.steps, seenRequests, seenSettings) = (steps, [], []) }
    }

    func note(_ configuration: URLSessionConfiguration) {
        let stores: [AnyObject?] = [
            configuration.httpCookieStorage, configuration.urlCache, configuration.urlCredentialStorage,
        ]
        let settings = Settings(
            timeout: max(configuration.timeoutIntervalForRequest, configuration.timeoutIntervalForResource),
            isBare: !configuration.httpShouldSetCookies && stores.allSatisfy { $0 == nil },
            avoidsProxies: configuration.connectionProxyDictionary?.isEmpty == true,
            atLeast: configuration.tlsMinimumSupportedProtocolVersion
        )
        lock.withLock { seenSettings.append(settings) }
    }

    func note(_ request: URLRequest) -> [Step] {
        lock.withLock {
            seenRequests.append(request)
            return steps
        }
    }
}

/// One exchange, which tells its delegate of each step, and waits for the word on it before the next.
final class Exchange: @unchecked Sendable {
    // Safe to share: `queue` runs one call after the other; `lock` guards `isCancelled`.
    weak var task: URLSessionDataTask?
    private let session: URLSession
    private let request: URLRequest
    private let queue = DispatchQueue(label: "exchange")
    private let lock = NSLock()
    private var isCancelled = false
    private var isEnded = false

    init(_ session: URLSession, _ request: URLRequest) { (self.session, self.request) = (session, request) }

    func start() {
        guard let task else { return }
        queue.async { [self] in
            var wasSilent = false
            for step in Service.current.note(request) where !isEnded {
                if lock.withLock({ isCancelled }) { return end(task, .cancelled) }
                if case .silence = step { wasSilent = true } else { perform(step, task) }
            }
            if !wasSilent { end(task, nil) }
        }
    }

    func cancel() {
        lock.withLock { isCancelled = true }
        guard let task else { return }
        queue.async { [self] in end(task, .cancelled) }
    }

    private func perform(_ step: Service.Step, _ task: URLSessionDataTask) {
        guard let delegate = session.delegate as? any URLSessionDataDelegate else { return }
        switch step {
        case .trust(let trust):
            let word = challenge(delegate, URLProtectionSpace(NSURLAuthenticationMethodServerTrust, trust))
            // A challenge that is called off ends the exchange as a cancelled one [doc].
            if word == .cancelAuthenticationChallenge { end(task, .cancelled) }
            if word != .useCredential, !isEnded { end(task, .serverCertificateUntrusted) }
        case .password:
            let word = challenge(delegate, URLProtectionSpace("NSURLAuthenticationMethodHTTPBasic", nil))
            if word == .cancelAuthenticationChallenge { end(task, .cancelled) }
        case .redirect(let status, let url):
            let response = HTTPURLResponse(status, ["Location": url.absoluteString])
            let next: URLRequest? = wait { done in
                delegate.urlSession(
                    session,
                    task: task,
                    willPerformHTTPRedirection: response,
                    newRequest: URLRequest(url: url),
                    completionHandler: done
                )
            }
            // The redirect itself is the answer where it is not followed [doc].
            if let next { _ = Service.current.note(next) } else { take(response, task, delegate) }
        case .head(let status, let fields): take(HTTPURLResponse(status, fields), task, delegate)
        case .data(let data): delegate.urlSession(session, dataTask: task, didReceive: data)
        case .failure(let code): end(task, code)
        case .silence: break
        }
    }

    private func take(_ response: HTTPURLResponse, _ task: URLSessionDataTask, _ delegate: any URLSessionDataDelegate) {
        let word: URLSession.ResponseDisposition = wait { done in
            delegate.urlSession(session, dataTask: task, didReceive: response, completionHandler: done)
        }
        if word == .cancel { end(task, .cancelled) }
    }

    private func challenge(
        _ delegate: any URLSessionDataDelegate,
        _ space: URLProtectionSpace
    ) -> URLSession.AuthChallengeDisposition {
        wait { done in
            delegate.urlSession(session, didReceive: URLAuthenticationChallenge(space)) { word, _ in done(word) }
        }
    }

    private func wait<Word: Sendable>(_ call: (@escaping @Sendable (Word) -> Void) -> Void) -> Word {
        let (said, word) = (DispatchSemaphore(value: 0), Box<Word>())
        call {
            word.value = $0
            said.signal()
        }
        said.wait()
        guard let value = word.value else { preconditionFailure("a word was waited for") }
        return value
    }

    private func end(_ task: URLSessionDataTask, _ code: URLError.Code?) {
        guard !isEnded, let delegate = session.delegate as? any URLSessionDataDelegate else { return }
        isEnded = true
        delegate.urlSession(session, task: task, didCompleteWithError: code.map { URLError($0) })
    }
}

private final class Box<Value: Sendable>: @unchecked Sendable {
    // Safe to share: written before a signal, read after it.
    var value: Value?
}
