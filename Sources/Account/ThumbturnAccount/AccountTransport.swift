public import ThumbturnCrypto

/// One request to the account's service.
public struct AccountRequest: ~Copyable, Sendable {
    /// The methods that the service knows.
    public enum Method: String, Sendable {
        /// Asks.
        case get = "GET"
        /// Sends something new.
        case post = "POST"
        /// Puts something in the place of what is there.
        case put = "PUT"
        /// Takes something away.
        case delete = "DELETE"
    }

    /// What is asked.
    public let method: Method
    /// The path behind the origin, with its leading `/`: ASCII, nothing to be escaped.
    public let path: String
    /// The bearer token, as it goes behind `Authorization: Bearer`; nil where none goes.
    public let token: SecretBytes?
    /// The body, `application/json`; empty where there is none.
    public let body: [UInt8]
    /// How long the whole round trip may take, in milliseconds.
    public let timeout: Int

    package init(_ method: Method, _ path: String, token: consuming SecretBytes?, body: [UInt8], timeout: Int) {
        self.method = method
        self.path = path
        self.token = token
        self.body = body
        self.timeout = timeout
    }
}

/// What the service answered.
public struct AccountResponse: ~Copyable, Sendable {
    /// The status, 100 to 599.
    public let status: Int
    /// The seconds of `Retry-After`; nil where there was none, `Int.max` where no number of seconds stood there.
    public let retryAfter: Int?
    /// The text of `Thumbturn-Proof` or `Thumbturn-Contact`, by which the service proves its answers; nil where there was none.
    public let proof: String?
    /// The body; it may hold a token.
    public let body: SecretBytes

    /// Says what was answered.
    public init(status: Int, retryAfter: Int?, proof: String?, body: consuming SecretBytes) {
        self.status = status
        self.retryAfter = retryAfter
        self.proof = proof
        self.body = body
    }
}

/// Why a round trip had no answer.
public enum TransportFailure: Error, Hashable, Sendable {
    /// Nothing was sent: no address, no connection.
    case unreachable
    /// The other side is not who was asked for: its certificate's name, its key, or a redirect.
    case untrusted
    /// Its certificate has ended, by this device's clock; nothing was sent.
    case expired
    /// Its certificate does not hold yet, or has ended with the authority that gave it: this device's clock looks wrong.
    case clockDiffers
    /// No authority that is trusted vouches for its certificate; nothing was sent.
    case unknownAuthority
    /// The request may have reached the service, and no whole answer came back.
    case lost
}

/// The way to the service: bytes out, bytes in.
///
/// It follows no redirect, keeps no cookie, takes at most `mostBytes` of a body, and speaks TLS but to this very machine.
public struct AccountTransport: Sendable {
    /// The longest body of an answer that is taken.
    public static let mostBytes = 128 * 1_024

    /// Carries one request there and its answer back.
    public typealias RoundTrip =
        @Sendable (consuming AccountRequest) async throws(TransportFailure) -> AccountResponse

    /// Scheme, host and port as they are dialled, for example `https://accounts.example.org` or `http://127.0.0.1:8107`.
    ///
    /// The service's name, which devices sign, is another thing: it stays where the service moves.
    public let origin: String
    /// The path of the certificates that vouch for the service, where they are not the system's.
    package let authority: String?
    /// The base64 of the SHA-256 of the service's public key, where it has to be this one.
    package let pin: String?
    package let roundTrip: RoundTrip

    /// - Parameters:
    ///   - origin: scheme, host and port in lower case, without the port that the scheme has anyway, and no slash at the end.
    ///   - roundTrip: carries one request there and its answer back.
    public init(origin: String, roundTrip: @escaping RoundTrip) {
        self.init(origin: origin, authority: nil, pin: nil, roundTrip: roundTrip)
    }

    /// The same with what it trusts, which a vault that is made over it remembers.
    package init(origin: String, authority: String?, pin: String?, roundTrip: @escaping RoundTrip) {
        (self.origin, self.authority, self.pin) = (origin, authority, pin)
        self.roundTrip = roundTrip
    }
}
