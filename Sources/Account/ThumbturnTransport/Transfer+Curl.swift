#if !canImport(Security)
import CCurl
import Glibc
import Synchronization
import ThumbturnAccount
import ThumbturnCrypto

/// Performs one round trip with libcurl on its own thread: the threads shared by tasks must not wait for a network.
///
/// The token is in `SecretBytes`, in curl's memory, which is overwritten when it is freed, and on the thread's stack,
/// which is unmapped with the thread. The answer goes from there into `SecretBytes`. OpenSSL encrypts a record in place
/// and overwrites decrypted data once it is read; connection keys, and the last record of an interrupted connection,
/// may remain in its memory until that is reused. If other code of the process called `curl_global_init` before, curl
/// keeps that code's memory functions, and none of curl's memory is overwritten.
@safe final class Transfer: @unchecked Sendable {
    // Safe to share: the task keeps `thread`, and reads `outcome` after that thread has ended; any thread may wake
    // `multi`.
    private let request: AccountRequest
    private let address: ServiceAddress
    private let trust: ServiceTrust
    private let multi: UnsafeMutableRawPointer?
    private var thread: TransferThread?
    private let isCancelled = Atomic<Bool>(false)
    private var outcome = Result<AccountResponse, TransportFailure>.failure(.unreachable)

    /// The library that the system needs to send a request but lacks; `nil` if it is present, which loads it.
    static var missingLibrary: String? { ccurl_is_there() != 0 ? nil : "libcurl.so.4" }

    private static let isPrepared: Bool = {
        OpenSSLSettings.takeUp()
        return ccurl_prepare() == 1
    }()

    init(_ request: consuming AccountRequest, to address: ServiceAddress, trusting trust: ServiceTrust) {
        self.request = request
        (self.address, self.trust) = (address, trust)
        unsafe multi = Self.isPrepared ? unsafe curl_multi_init() : nil
    }

    deinit { unsafe curl_multi_cleanup(multi) }

    /// Sends the request and returns the answer; cancelling the task cuts it short.
    func run() async throws(TransportFailure) -> AccountResponse {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                thread = TransferThread {
                    self.outcome = self.transfer()
                    continuation.resume()
                }
                if thread == nil { continuation.resume() }
            }
        } onCancel: {
            isCancelled.store(true, ordering: .releasing)
            unsafe curl_multi_wakeup(multi)
        }
        thread.take()?.join()
        var outcome = Result<AccountResponse, TransportFailure>.failure(.lost)
        swap(&outcome, &self.outcome)
        return try outcome.get()
    }

    private func transfer() -> Result<AccountResponse, TransportFailure> {
        guard unsafe multi != nil, let easy = unsafe curl_easy_init() else { return .failure(.unreachable) }
        defer { unsafe curl_easy_cleanup(easy) }
        var (code, count, isHeadWhole) = (CURLE_OK, 0, false)
        let room = unsafe SecretBytes(byteCount: AccountTransport.mostBytes) { buffer in
            var sink = unsafe Sink(room: buffer)
            code = unsafe withUnsafeMutablePointer(to: &sink) { unsafe exchange(easy, into: $0) }
            (count, isHeadWhole) = (sink.count, sink.isHeadWhole)
        }
        // Curl accepts a truncated head.
        guard code == CURLE_OK, isHeadWhole else {
            return .failure(Self.failure(code, wasSent: unsafe ccurl_number(easy, CURLINFO_REQUEST_SIZE) > 0))
        }
        return .success(
            AccountResponse(
                status: unsafe ccurl_number(easy, CURLINFO_RESPONSE_CODE),
                retryAfter: unsafe Self.header("Retry-After", easy).map {
                    AccountResponse.seconds(ofRetryAfter: $0)
                },
                proof: unsafe Self.header(AnswerProof.field, easy) ?? Self.header(ContactProof.field, easy),
                body: room.prefix(count)
            )
        )
    }

    /// Passes the outgoing data to curl for the time that it may read it.
    private func exchange(_ easy: UnsafeMutableRawPointer, into sink: UnsafeMutablePointer<Sink>) -> CURLcode {
        var fixed: UnsafeMutablePointer<curl_slist>?
        let type = request.body.isEmpty ? "Content-Type:" : "Content-Type: \(request.contentType)"
        let others = request.fields.map { name, value in "\(name): \(value)" }
        for line in ["Accept: application/json", type, "Expect:"] + others {
            unsafe fixed = curl_slist_append(fixed, line)
        }
        defer { unsafe curl_slist_free_all(fixed) }
        return request.authorization().withBytes { line in
            unsafe line.withUnsafeBytes { line in
                unsafe request.body.withUnsafeBytes { body in
                    let text = unsafe UnsafeMutableRawPointer(mutating: line.baseAddress)?
                        .assumingMemoryBound(to: CChar.self)
                    var first = unsafe curl_slist(data: text, next: fixed)
                    return unsafe withUnsafeMutablePointer(to: &first) { first in
                        let headers = unsafe line.count > 1 ? first : fixed
                        var options = unsafe Options(easy: easy)
                        unsafe setRequest(headers, body, &options)
                        setTrust(&options)
                        unsafe options.set(sink)
                        return unsafe options.code == CURLE_OK ? drive(easy) : options.code
                    }
                }
            }
        }
    }

    /// Waits until the transfer ends or is cancelled.
    private func drive(_ easy: UnsafeMutableRawPointer) -> CURLcode {
        guard unsafe curl_multi_add_handle(multi, easy) == CURLM_OK else { return CURLE_FAILED_INIT }
        defer { unsafe curl_multi_remove_handle(multi, easy) }
        var (running, left): (CInt, CInt) = (1, 0)
        while !isCancelled.load(ordering: .acquiring) {
            guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { return CURLE_FAILED_INIT }
            if running == 0, let message = unsafe curl_multi_info_read(multi, &left) {
                return unsafe message.pointee.data.result
            }
            guard unsafe curl_multi_poll(multi, nil, 0, 60_000, nil) == CURLM_OK else { return CURLE_FAILED_INIT }
        }
        return CURLE_ABORTED_BY_CALLBACK
    }

    private static func failure(_ code: CURLcode, wasSent: Bool) -> TransportFailure {
        switch code {
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_INVALIDCERTSTATUS:
            switch ccurl_certificate_fault() {
            case CCURL_FAULT_EXPIRED: .expired
            case CCURL_FAULT_CLOCK: .clockDiffers
            case CCURL_FAULT_AUTHORITY: .unknownAuthority
            default: .untrusted
            }
        default: wasSent ? .lost : .unreachable
        }
    }

    private static func header(_ name: String, _ easy: UnsafeMutableRawPointer) -> String? {
        var header: UnsafeMutablePointer<curl_header>?
        guard unsafe curl_easy_header(easy, name, 0, UInt32(CURLH_HEADER), -1, &header) == CURLHE_OK,
            let value = unsafe header?.pointee.value
        else { return nil }
        return unsafe String(cString: value)
    }
}

// MARK: - Options

extension Transfer {
    private func setRequest(
        _ headers: UnsafeMutablePointer<curl_slist>?,
        _ body: UnsafeRawBufferPointer,
        _ options: inout Options
    ) {
        options.set(CURLOPT_URL, address.origin + request.path)
        options.set(CURLOPT_PROTOCOLS_STR, address.isPlain ? "http" : "https")
        options.set(CURLOPT_PATH_AS_IS, 1)
        options.set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        // HTTP/2 would keep the token in a table in memory that is not curl's.
        options.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        unsafe options.set(CURLOPT_HTTPHEADER, UnsafeRawPointer(headers))
        if !request.body.isEmpty || request.method == .post || request.method == .put {
            // With a null pointer curl would send a body of unknown length.
            unsafe options.set(CURLOPT_POSTFIELDS, body.baseAddress ?? UnsafeRawPointer(headers))
            options.set(CURLOPT_POSTFIELDSIZE, body.count)
        }
        options.set(CURLOPT_FOLLOWLOCATION, 0)
        if address.isLoopback { options.set(CURLOPT_PROXY, "") }
        options.set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        options.set(CURLOPT_TIMEOUT_MS, max(1, request.timeout))
        options.set(CURLOPT_NOSIGNAL, 1)
        // Otherwise the end of a transfer would wait for the system's address lookup.
        options.set(CURLOPT_QUICK_EXIT, 1)
    }

    private func setTrust(_ options: inout Options) {
        options.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        options.set(CURLOPT_SSL_VERIFYPEER, 1)
        options.set(CURLOPT_SSL_VERIFYHOST, 2)
        options.prepareContext()
        if let pin = trust.pin {
            let text = TextCode.base64.encode(pin)
            options.set(CURLOPT_PINNEDPUBLICKEY, "sha256//" + String(decoding: text, as: UTF8.self))
        }
        guard let authority = trust.authority else { return }
        options.setCopy(CURLOPT_CAINFO_BLOB, authority)
        // Do not trust the system's authorities in addition.
        unsafe options.set(CURLOPT_CAPATH, UnsafeRawPointer?.none)
    }
}

extension AccountRequest {
    /// Returns the header's line with a terminating zero; only the zero if there is no token.
    fileprivate func authorization() -> SecretBytes {
        let name = Array("Authorization: Bearer ".utf8)
        switch token {
        case .none: return unsafe SecretBytes(byteCount: 1) { _ in }
        case .some(let token):
            return token.withBytes { token in
                unsafe SecretBytes(byteCount: name.count + token.byteCount + 1) { line in
                    unsafe line.copyBytes(from: name)
                    unsafe token.withUnsafeBytes { token in
                        unsafe UnsafeMutableRawBufferPointer(rebasing: line[name.count...]).copyMemory(from: token)
                    }
                }
            }
        }
    }
}

/// Sets a handle's options; one that this curl does not support fails the round trip before anything is sent.
@safe private struct Options {
    private let easy: UnsafeMutableRawPointer
    private(set) var code = CURLE_OK

    init(easy: UnsafeMutableRawPointer) { unsafe self.easy = unsafe easy }

    mutating func set(_ option: CURLoption, _ value: Int) { note(unsafe ccurl_set_number(easy, option, value)) }
    mutating func set(_ option: CURLoption, _ value: String) { note(unsafe ccurl_set_pointer(easy, option, value)) }
    mutating func set(_ option: CURLoption, _ value: UnsafeRawPointer?) {
        note(unsafe ccurl_set_pointer(easy, option, value))
    }

    mutating func set(_ sink: UnsafeMutablePointer<Sink>) {
        note(unsafe ccurl_set_takers(easy, Sink.takeLine, Sink.take, sink))
    }
    mutating func setCopy(_ option: CURLoption, _ value: [UInt8]) {
        note(unsafe value.withUnsafeBytes { unsafe ccurl_set_copy(easy, option, $0.baseAddress, $0.count) })
    }
    mutating func prepareContext() { note(unsafe ccurl_prepare_context(easy)) }

    private mutating func note(_ result: CURLcode) { if code == CURLE_OK { code = result } }
}

/// Receives an answer.
@safe private struct Sink {
    private let room: UnsafeMutableRawBufferPointer
    private(set) var count = 0
    private(set) var isHeadWhole = false

    init(room: UnsafeMutableRawBufferPointer) { unsafe self.room = unsafe room }

    /// Accepts a piece of the body as a whole, or refuses it, which ends the transfer.
    private mutating func take(_ piece: UnsafeRawBufferPointer) -> Int {
        guard unsafe piece.count <= room.count - count else { return 0 }
        unsafe UnsafeMutableRawBufferPointer(rebasing: room[count...]).copyMemory(from: piece)
        count += piece.count
        return piece.count
    }

    /// Reads a line of a head: an empty line ends it, a status line starts another.
    private mutating func takeLine(_ line: UnsafeRawBufferPointer) -> Int {
        if unsafe line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) {
            isHeadWhole = true
        } else if unsafe line.starts(with: "HTTP/".utf8) {
            isHeadWhole = false
        }
        return line.count
    }

    /// The callback for a piece of the body.
    static let take: curl_write_callback = { start, size, number, sink in
        guard let sink = unsafe sink?.assumingMemoryBound(to: Sink.self) else { return 0 }
        return unsafe sink.pointee.take(UnsafeRawBufferPointer(start: start, count: size * number))
    }

    /// The callback for a line of a head.
    static let takeLine: curl_write_callback = { start, size, number, sink in
        guard let sink = unsafe sink?.assumingMemoryBound(to: Sink.self) else { return 0 }
        return unsafe sink.pointee.takeLine(UnsafeRawBufferPointer(start: start, count: size * number))
    }
}
#endif
