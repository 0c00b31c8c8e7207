#if canImport(Security)
import Foundation
import Security
import ThumbturnAccount
import ThumbturnCrypto

/// Performs one round trip with URLSession, in its own session, which stores nothing.
///
/// URLSession accepts the token as a `String` and the body as `Data`, and returns the answer as `Data`. The system owns
/// them, and they can't be overwritten.
final class Transfer: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safe to share: `lock` guards `task` and `isCancelled`. The task sets the rest before it starts the session's
    // task, whose calls come one after another, and reads it after the last call.
    private let address: ServiceAddress
    private let trust: ServiceTrust
    private let timeout: Double
    private var request: URLRequest?
    private var continuation: CheckedContinuation<Void, Never>?
    private var body: SecretBytes? = unsafe SecretBytes(byteCount: 0) { _ in }
    private var head: (status: Int, retryAfter: Int?, proof: String?)?
    private var failure: TransportFailure?
    private let lock = NSLock()
    private var task: URLSessionDataTask?
    private var isCancelled = false

    /// The library that the system needs to send a request but lacks: none.
    static var missingLibrary: String? { nil }

    init(_ request: consuming AccountRequest, to address: ServiceAddress, trusting trust: ServiceTrust) {
        (self.address, self.trust) = (address, trust)
        timeout = Double(max(1, request.timeout)) / 1_000
        self.request = request.forURLSession(to: address)
        super.init()
    }

    /// Sends the request and returns the answer; cancelling the task cuts it short.
    func run() async throws(TransportFailure) -> AccountResponse {
        await withTaskCancellationHandler {
            await withCheckedContinuation { start($0) }
        } onCancel: {
            lock.withLock {
                isCancelled = true
                task?.cancel()
            }
        }
        guard failure == nil, let head, let body = body.take() else { throw failure ?? .lost }
        return AccountResponse(status: head.status, retryAfter: head.retryAfter, proof: head.proof, body: body)
    }

    private func start(_ continuation: CheckedContinuation<Void, Never>) {
        guard let request, !lock.withLock({ isCancelled }) else {
            failure = .unreachable
            return continuation.resume()
        }
        self.continuation = continuation
        let session = URLSession(configuration: configuration(), delegate: self, delegateQueue: nil)
        let task = session.dataTask(with: request)
        self.request = nil
        task.resume()
        lock.withLock {
            self.task = task
            if isCancelled { task.cancel() }
        }
        session.finishTasksAndInvalidate()
    }

    private func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        if address.isLoopback { configuration.connectionProxyDictionary = [:] }
        return configuration
    }
}

// MARK: - Delegate calls

extension Transfer {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust else {
            return completionHandler(.performDefaultHandling, nil)
        }
        guard let server = challenge.protectionSpace.serverTrust else {
            failure = .untrusted
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        if let refusal = refusal(of: server) {
            failure = refusal
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: server))
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        let wait = response.value(forHTTPHeaderField: "Retry-After")
        head = (
            response.statusCode, wait.map { AccountResponse.seconds(ofRetryAfter: $0) },
            response.value(forHTTPHeaderField: AnswerProof.field)
                ?? response.value(forHTTPHeaderField: ContactProof.field)
        )
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        guard let former = body.take() else { return }
        guard data.count <= AccountTransport.mostBytes - former.byteCount else {
            failure = .lost
            return dataTask.cancel()
        }
        let piece = unsafe SecretBytes(byteCount: data.count) { unsafe data.copyBytes(to: $0) }
        body = SecretBytes.concatenating(former, piece)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error, failure == nil { failure = Self.failure(error) }
        continuation?.resume()
        continuation = nil
    }

    /// Returns why the server is refused; `nil` if its chain ends at a trusted authority, matches the host, which the
    /// trust's own policy checks, and has the pinned key.
    private func refusal(of server: SecTrust) -> TransportFailure? {
        if let authority = trust.authority {
            let anchors = ServiceTrust.certificates(in: authority).compactMap {
                SecCertificateCreateWithData(nil, Data($0) as CFData)
            }
            guard SecTrustSetAnchorCertificates(server, anchors as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(server, true) == errSecSuccess
            else { return .untrusted }
        }
        var reason: CFError?
        guard unsafe SecTrustEvaluateWithError(server, &reason) else {
            return Self.refusal(reason.map { OSStatus(truncatingIfNeeded: CFErrorGetCode($0)) })
        }
        guard let chain = SecTrustCopyCertificateChain(server) as? [SecCertificate], let own = chain.first,
            trust.accepts([UInt8](SecCertificateCopyData(own) as Data))
        else { return .untrusted }
        return nil
    }

    private static func refusal(_ status: OSStatus?) -> TransportFailure {
        switch status {
        case errSecCertificateExpired: .expired
        case errSecCertificateNotValidYet: .clockDiffers
        case errSecNotTrusted, errSecCreateChainFailed: .unknownAuthority
        default: .untrusted
        }
    }

    /// Returns `.unreachable` or a certificate failure if surely nothing was sent; anything else may have reached the
    /// service.
    private static func failure(_ error: any Error) -> TransportFailure {
        switch (error as? URLError)?.code {
        case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .internationalRoamingOff,
            .dataNotAllowed, .appTransportSecurityRequiresSecureConnection:
            .unreachable
        case .serverCertificateHasBadDate: .expired
        case .serverCertificateNotYetValid: .clockDiffers
        case .serverCertificateHasUnknownRoot: .unknownAuthority
        case .secureConnectionFailed, .serverCertificateUntrusted, .clientCertificateRejected,
            .clientCertificateRequired:
            .untrusted
        default: .lost
        }
    }
}

extension AccountRequest {
    /// Converts the request for URLSession; returns `nil` if its address is invalid.
    fileprivate borrowing func forURLSession(to address: ServiceAddress) -> URLRequest? {
        guard let url = URL(string: address.origin + path) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        request.httpShouldHandleCookies = false
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        // Otherwise the system would ask for compressed answers.
        request.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        if !body.isEmpty {
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(body)
        }
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        switch token {
        case .none: break
        case .some(let token):
            let text = token.withBytes { bytes in
                unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
            }
            request.setValue("Bearer " + text, forHTTPHeaderField: "Authorization")
        }
        return request
    }
}
#endif
