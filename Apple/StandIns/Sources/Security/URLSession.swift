// Stand-in for URLSession, which Linux's Foundation has not: with Apple's signatures, and in this module, because that is the
// other one that its caller imports. It carries nothing: `Service` says what happens. A name without a comment means what
// Apple's documentation says.
public import Foundation

public enum tls_protocol_version_t: UInt16, Sendable {
    case TLSv12 = 0x0303
    case TLSv13 = 0x0304
}

public struct URLRequest: Hashable, Sendable {
    public let url: URL?
    public var httpMethod: String? = "GET"
    public var httpBody: Data?
    public var httpShouldHandleCookies = true
    public private(set) var allHTTPHeaderFields: [String: String]? = [:]

    public init(url: URL) { self.url = url }

    public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {
        allHTTPHeaderFields?[field] = value
    }
}

public class URLResponse: NSObject, @unchecked Sendable {}

public final class HTTPURLResponse: URLResponse, @unchecked Sendable {
    public let statusCode: Int
    private let fields: [String: String]

    init(_ status: Int, _ fields: [String: String]) { (statusCode, self.fields) = (status, fields) }

    /// Upper and lower case are one [doc].
    public func value(forHTTPHeaderField field: String) -> String? {
        fields.first { $0.key.lowercased() == field.lowercased() }?.value
    }
}

public let NSURLAuthenticationMethodServerTrust = "NSURLAuthenticationMethodServerTrust"

public final class URLProtectionSpace: NSObject, Sendable {
    public let authenticationMethod: String
    public let serverTrust: SecTrust?

    init(_ method: String, _ trust: SecTrust?) { (authenticationMethod, serverTrust) = (method, trust) }
}

public final class URLAuthenticationChallenge: NSObject, Sendable {
    public let protectionSpace: URLProtectionSpace

    init(_ space: URLProtectionSpace) { protectionSpace = space }
}

public final class URLCredential: NSObject, Sendable {
    public init(trust: SecTrust) {}
}

public final class HTTPCookieStorage: NSObject, Sendable {}
public final class URLCache: NSObject, Sendable {}
public final class URLCredentialStorage: NSObject, Sendable {}

public final class URLSessionConfiguration: NSObject {
    /// One of its own at each call, with stores that lie in memory.
    public class var ephemeral: URLSessionConfiguration { URLSessionConfiguration() }

    public var timeoutIntervalForRequest = 60.0
    public var timeoutIntervalForResource = 604_800.0
    public var connectionProxyDictionary: [AnyHashable: Any]?
    public var tlsMinimumSupportedProtocolVersion: tls_protocol_version_t?
    public var httpShouldSetCookies = true
    public var httpCookieStorage: HTTPCookieStorage? = HTTPCookieStorage()
    public var urlCredentialStorage: URLCredentialStorage? = URLCredentialStorage()
    public var urlCache: URLCache? = URLCache()
}

public class URLSessionTask: NSObject, @unchecked Sendable {
    private let exchange: Exchange

    init(_ exchange: Exchange) {
        self.exchange = exchange
        super.init()
        exchange.task = self as? URLSessionDataTask
    }

    public func resume() { exchange.start() }
    /// Also a task that was never resumed ends so, with `URLError.cancelled`.
    public func cancel() { exchange.cancel() }
}

public final class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}

public final class URLSession: NSObject, Sendable {
    public enum AuthChallengeDisposition: Int, Sendable {
        case useCredential = 0
        case performDefaultHandling = 1
        case cancelAuthenticationChallenge = 2
        case rejectProtectionSpace = 3
    }

    public enum ResponseDisposition: Int, Sendable {
        case cancel = 0
        case allow = 1
    }

    let delegate: any URLSessionDelegate

    public init(
        configuration: URLSessionConfiguration,
        delegate: (any URLSessionDelegate)?,
        delegateQueue: OperationQueue?
    ) {
        guard let delegate else { preconditionFailure("a session without a delegate is of no use here") }
        self.delegate = delegate
        Service.current.note(configuration)
    }

    public func dataTask(with request: URLRequest) -> URLSessionDataTask {
        URLSessionDataTask(Exchange(self, request))
    }

    public func finishTasksAndInvalidate() {}
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {
    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    )
}

public protocol URLSessionTaskDelegate: URLSessionDelegate {
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    )
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?)
}

public protocol URLSessionDataDelegate: URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    )
    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data)
}
