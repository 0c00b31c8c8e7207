import Foundation
import Security
import Testing
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import ThumbturnTransport

/// Round trips by URLSession. The service is one per process, so the tests take turns.
@Suite(.serialized) struct TransportTests {
    private let service = Service.current
    private let origin = "https://accounts.example.org"
    private let whole: [Service.Step] = [.head(200, [:]), .data(Data("{}".utf8))]

    /// A server's chain: the system trusts it where nothing else is said.
    private func chain(
        _ certificates: [Data] = [Data(Sample.certificate)],
        namesHost: Bool = true,
        trustsSystem: Bool = true,
        date: OSStatus = errSecSuccess
    ) -> Service.Step {
        .trust(SecTrust(chain: certificates, namesHost: namesHost, trustsSystem: trustsSystem, date: date))
    }

    private func expect(_ failure: TransportFailure, _ steps: [Service.Step], by transport: AccountTransport) async {
        service.set(steps)
        await #expect(throws: failure) { try await transport.ask() }
    }

    @Test func `what is asked goes out word for word, and what is answered comes back`() async throws {
        service.set([
            chain(), .head(429, ["retry-after": "17"]), .data(Data("{\"a\"".utf8)), .data(Data(":1}".utf8)),
        ])
        let answer = try await AccountTransport.system(origin: origin)
            .ask(.put, "/v1/a", token: "abc", body: "{}", timeout: 1_500)
        #expect(answer == Answer(status: 429, retryAfter: 17, text: "{\"a\":1}"))
        let request = try #require(service.requests.first)
        #expect(request.url?.absoluteString == "https://accounts.example.org/v1/a")
        #expect(request.httpMethod == "PUT" && request.httpBody == Data("{}".utf8) && !request.httpShouldHandleCookies)
        #expect(
            request.allHTTPHeaderFields == [
                "Authorization": "Bearer abc", "Accept": "application/json", "Accept-Encoding": "identity",
                "Content-Type": "application/json",
            ]
        )
        let settings = try #require(service.settings.first)
        #expect(settings.timeout == 1.5 && settings.isBare && !settings.avoidsProxies && settings.atLeast == .TLSv12)
    }

    @Test func `nothing goes by a proxy to this machine, and no token or content is sent where there is none`()
        async throws
    {
        service.set(whole)
        #expect(try await AccountTransport.system(origin: "http://localhost:8107").ask().status == 200)
        #expect(service.settings.first?.avoidsProxies == true)
        #expect(service.requests.first?.httpBody == nil)
        #expect(
            service.requests.first?.allHTTPHeaderFields == [
                "Accept": "application/json", "Accept-Encoding": "identity",
            ]
        )
    }

    @Test func `who is not vouched for is refused: by nobody, by another, under another name`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Sample.pem, to: "authority")
        let system = try AccountTransport.system(origin: origin)
        let own = try AccountTransport.system(origin: origin, authority: folder.file("authority"))
        let (server, authority) = (Data([0x30, 1, 0]), Data(Sample.certificate))
        await expect(.unknownAuthority, [chain(trustsSystem: false)] + whole, by: system)
        await expect(.untrusted, [chain(namesHost: false)] + whole, by: system)
        await expect(.expired, [chain(date: errSecCertificateExpired)] + whole, by: system)
        await expect(.clockDiffers, [chain(date: errSecCertificateNotValidYet)] + whole, by: system)
        await expect(.unknownAuthority, [chain([server, Data([0x30, 0])])] + whole, by: own)
        service.set([chain([server, authority], trustsSystem: false)] + whole)
        #expect(try await own.ask().text == "{}")
    }

    @Test func `a pin lets its key pass, and no other, and vouches for nobody`() async throws {
        let right = try AccountTransport.system(origin: origin, pin: Sample.pin)
        service.set([chain()] + whole)
        #expect(try await right.ask().text == "{}")
        await expect(.unknownAuthority, [chain(trustsSystem: false)] + whole, by: right)
        await expect(.untrusted, [chain([Data([0x30, 0]), Data(Sample.certificate)])] + whole, by: right)
        let wrong = try AccountTransport.system(origin: origin, pin: "A" + Sample.pin.dropFirst())
        await expect(.untrusted, [chain()] + whole, by: wrong)
    }

    @Test func `a redirect is not followed, and no password is given`() async throws {
        let transport = try AccountTransport.system(origin: origin)
        let other = try #require(URL(string: "https://other.example.org/"))
        await expect(.untrusted, [chain(), .redirect(307, other)], by: transport)
        #expect(service.requests.count == 1)
        service.set([chain(), .password, .head(401, [:])])
        #expect(try await transport.ask() == Answer(status: 401, retryAfter: nil, text: ""))
    }

    @Test func `128 KiB are taken, and not a byte more`() async throws {
        let transport = try AccountTransport.system(origin: origin)
        let half = Service.Step.data(Data(repeating: 0x61, count: AccountTransport.mostBytes / 2))
        service.set([chain(), .head(200, [:]), half, half])
        #expect(try await transport.ask().text.utf8.count == AccountTransport.mostBytes)
        await expect(.lost, [chain(), .head(200, [:]), half, half, .data(Data([0x61]))], by: transport)
    }

    @Test(arguments: [
        (URLError.Code.cannotFindHost, TransportFailure.unreachable), (.cannotConnectToHost, .unreachable),
        (.dnsLookupFailed, .unreachable), (.notConnectedToInternet, .unreachable),
        (.internationalRoamingOff, .unreachable), (.dataNotAllowed, .unreachable),
        (.appTransportSecurityRequiresSecureConnection, .unreachable), (.secureConnectionFailed, .untrusted),
        (.serverCertificateUntrusted, .untrusted), (.serverCertificateHasUnknownRoot, .unknownAuthority),
        (.serverCertificateHasBadDate, .expired), (.serverCertificateNotYetValid, .clockDiffers),
        (.clientCertificateRejected, .untrusted), (.clientCertificateRequired, .untrusted), (.timedOut, .lost),
        (.networkConnectionLost, .lost), (.badServerResponse, .lost),
    ])
    func `a failure says whether anything was sent`(code: URLError.Code, failure: TransportFailure) async throws {
        let transport = try AccountTransport.system(origin: origin)
        await expect(failure, [.failure(code)], by: transport)
        await expect(
            .lost,
            [chain(), .head(200, [:]), .data(Data([0x7B])), .failure(.networkConnectionLost)],
            by: transport
        )
    }

    @Test(.timeLimit(.minutes(1))) func `the end of the task ends the round trip`() async throws {
        let transport = try AccountTransport.system(origin: origin)
        service.set([chain(), .silence])
        let task = Task { try await transport.ask() }
        while service.requests.isEmpty { await Task.yield() }
        task.cancel()
        await #expect(throws: TransportFailure.lost) { try await task.value }
        let late = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await transport.ask()
        }
        await #expect(throws: TransportFailure.unreachable) { try await late.value }
        #expect(service.requests.count == 1)
    }
}

/// What came back.
private struct Answer: Equatable {
    let status: Int
    let retryAfter: Int?
    let text: String
}

extension AccountTransport {
    fileprivate func ask(
        _ method: AccountRequest.Method = .get,
        _ path: String = "/",
        token: String? = nil,
        body: String = "",
        timeout: Int = 10_000
    ) async throws(TransportFailure) -> Answer {
        var held: SecretBytes?
        if let token {
            held = unsafe SecretBytes(byteCount: token.utf8.count) { unsafe $0.copyBytes(from: token.utf8) }
        }
        let request = AccountRequest(method, path, token: held, body: Array(body.utf8), timeout: timeout)
        let response = try await roundTrip(request)
        let text = response.body.withBytes { bytes in
            unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
        return Answer(status: response.status, retryAfter: response.retryAfter, text: text)
    }
}

/// A certificate that OpenSSL made.
private enum Sample {
    static let pin = "QSqnbyhzDdCu9KNk7kKNmAdEEV6voucrxeGrrjegf6s="
    static let pem = Array(
        """
        -----BEGIN CERTIFICATE-----
        MIIBbzCCARWgAwIBAgIUZvBfat2OLuUrR2rlPkRb46Oz2AAwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBYTAgFw0yNjExMjYwMDAwMTJaGA8yMTI2MTEwMjAwMDAxMlow
        DDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABF4f70Vi6xMf
        X13TGFj+b1h77T4vu0W5bwUWSytMJxRDnbDsG/R83RGlhl6yC6QqBgeADSeZjo9n
        mxuSVZpclrijUzBRMB0GA1UdDgQWBBQ+hpsLUcST0OI8TuodSVoWuP0NpjAfBgNV
        HSMEGDAWgBQ+hpsLUcST0OI8TuodSVoWuP0NpjAPBgNVHRMBAf8EBTADAQH/MAoG
        CCqGSM49BAMCA0gAMEUCIG5M/EHN8Nj2FBfkR+MzsVRUwYxt8BZSE/laZvq/ZRI8
        AiEA7uwhadrCuAtx+b6qdoxlbhbe21kOmMW8pMNQrD9kvao=
        -----END CERTIFICATE-----
        """.utf8
    )
    static let certificate = ServiceTrust.certificates(in: pem)[0]
}
