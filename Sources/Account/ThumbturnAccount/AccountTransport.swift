public import ThumbturnCrypto

/// A request to the account's service.
public struct AccountRequest: ~Copyable, Sendable {
    /// The methods that the service supports.
    public enum Method: String, Sendable {
        /// Reads.
        case get = "GET"
        /// Creates.
        case post = "POST"
        /// Replaces.
        case put = "PUT"
        /// Deletes.
        case delete = "DELETE"
    }

    /// The method.
    public let method: Method
    /// The path after the origin, with its leading `/`: ASCII that needs no escaping.
    public let path: String
    /// The bearer token for `Authorization: Bearer`; `nil` if none is sent.
    public let token: SecretBytes?
    /// The body; empty if there is none.
    public let body: [UInt8]
    /// The value of `Content-Type` for a body: `application/json`, or `application/x-ndjson` for events.
    public let contentType: String
    /// Further header fields by their names: visible ASCII, none of them a secret.
    public let fields: [String: String]
    /// The maximum duration of the whole round trip, in milliseconds.
    public let timeout: Int

    package init(
        _ method: Method,
        _ path: String,
        token: consuming SecretBytes?,
        body: [UInt8],
        contentType: String = "application/json",
        fields: [String: String] = [:],
        timeout: Int
    ) {
        self.method = method
        self.path = path
        self.token = token
        self.body = body
        self.contentType = contentType
        self.fields = fields
        self.timeout = timeout
    }
}

/// The service's answer to a request.
public struct AccountResponse: ~Copyable, Sendable {
    /// The status, 100 to 599.
    public let status: Int
    /// The seconds of `Retry-After`; `nil` if it is missing, `Int.max` if it is not a number of seconds.
    public let retryAfter: Int?
    /// The value of `Thumbturn-Proof` or `Thumbturn-Contact`, with which the service proves its answers; `nil` if
    /// missing.
    public let proof: String?
    /// The body; it may contain a token.
    public let body: SecretBytes

    /// Creates an answer.
    public init(status: Int, retryAfter: Int?, proof: String?, body: consuming SecretBytes) {
        self.status = status
        self.retryAfter = retryAfter
        self.proof = proof
        self.body = body
    }
}

/// Why a round trip failed.
public enum TransportFailure: Error, Hashable, Sendable {
    /// Nothing was sent: the address can't be resolved, or there is no connection.
    case unreachable
    /// The other side is not the service: its certificate's name or key differs, or it redirects.
    case untrusted
    /// Its certificate has expired by this device's clock; nothing was sent.
    case expired
    /// Its certificate is not valid yet, or has expired together with its authority: this device's clock may be wrong.
    case clockDiffers
    /// No trusted authority vouches for its certificate; nothing was sent.
    case unknownAuthority
    /// The request may have reached the service, but no complete answer came back.
    case lost
}

/// The transport to the service: sends bytes and receives bytes.
///
/// It follows no redirect, keeps no cookie, accepts at most `mostBytes` of a body, and uses TLS except to this very
/// machine.
public struct AccountTransport: Sendable {
    /// The maximum size of an answer's body.
    public static let mostBytes = 128 * 1_024

    /// Sends one request and returns the answer.
    public typealias RoundTrip =
        @Sendable (consuming AccountRequest) async throws(TransportFailure) -> AccountResponse

    /// Scheme, host and port to connect to, for example `https://accounts.example.org` or `http://127.0.0.1:8107`.
    ///
    /// The service's name, which devices sign, is separate: it stays the same when the service moves.
    public let origin: String
    /// The path of the certificates to trust, if not the system's.
    package let authority: String?
    /// The base64 of the SHA-256 of the service's public key, if it is pinned.
    package let pin: String?
    package let roundTrip: RoundTrip

    /// - Parameters:
    ///   - origin: scheme, host and port in lower case, without the scheme's default port and without a trailing slash.
    ///   - roundTrip: sends one request and returns the answer.
    public init(origin: String, roundTrip: @escaping RoundTrip) {
        self.init(origin: origin, authority: nil, pin: nil, roundTrip: roundTrip)
    }

    /// Creates a transport with the certificates and key it trusts, which a vault created over it remembers.
    package init(origin: String, authority: String?, pin: String?, roundTrip: @escaping RoundTrip) {
        (self.origin, self.authority, self.pin) = (origin, authority, pin)
        self.roundTrip = roundTrip
    }
}
