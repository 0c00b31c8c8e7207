import CTLS
import Glibc

/// Reads and writes the bytes of a connection, with TLS or without; no call blocks.
///
/// The thread must block SIGPIPE: OpenSSL may write to a socket whose peer is gone.
@safe struct Transport: ~Copyable, @unchecked Sendable {
    // Safe to send: this value is the session's only owner, and no two threads use it at once.
    private let descriptor: Descriptor
    private let session: OpaquePointer?

    /// The result of a read or a write.
    enum Progress {
        case bytes(Int)
        /// No data can be read or written now.
        case blocked
        /// The peer closed the connection, or it failed.
        case ended
    }

    /// - Parameter context: creates the TLS session; `nil` for plain HTTP.
    /// - Returns: `nil` if there is no memory for a session.
    init?(_ descriptor: consuming Descriptor, _ context: TLSContext?) {
        if let context {
            guard let made = unsafe context.makeSession(descriptor.number) else { return nil }
            unsafe session = unsafe made
        } else {
            unsafe session = nil
        }
        self.descriptor = descriptor
    }

    deinit { unsafe SSL_free(session) }

    var number: CInt { descriptor.number }

    /// Whether the TLS handshake is in progress.
    var isShaking: Bool {
        guard let session = unsafe session else { return false }
        return unsafe SSL_is_init_finished(session) == 0
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
        guard let session = unsafe session else { return unsafe readPlainly(into: buffer) }
        let wasShaking = isShaking
        ERR_clear_error()
        let count = unsafe SSL_read(session, buffer.baseAddress, CInt(buffer.count))
        if wasShaking, !isShaking { acknowledge() }
        return unsafe progress(count, session)
    }

    /// Reads without decrypting, for input that is discarded.
    func readPlainly(into buffer: UnsafeMutableRawBufferPointer) -> Progress {
        let count = unsafe recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
        return count == 0 ? .ended : progress(count)
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Progress {
        guard let session = unsafe session else {
            return progress(unsafe send(descriptor.number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL)))
        }
        ERR_clear_error()
        let count = unsafe SSL_write(session, bytes.baseAddress, CInt(min(bytes.count, 1 << 20)))
        return unsafe progress(count, session)
    }

    /// Tells the peer that no more data follows; input can still be read.
    func finishWriting() {
        if let session = unsafe session {
            ERR_clear_error()
            _ = unsafe SSL_shutdown(session)
        }
        _ = shutdown(descriptor.number, CInt(SHUT_WR))
    }

    /// Acknowledges the peer's last bytes at once.
    ///
    /// Without session tickets no data follows a handshake to carry the acknowledgement, and a client with Nagle's
    /// algorithm would delay its request by 40 ms.
    private func acknowledge() {
        var yes: CInt = 1
        _ = unsafe setsockopt(number, CInt(IPPROTO_TCP), TCP_QUICKACK, &yes, socklen_t(MemoryLayout<CInt>.size))
    }

    private func progress(_ count: Int) -> Progress {
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EINTR ? .blocked : .ended
    }

    private func progress(_ count: CInt, _ session: OpaquePointer) -> Progress {
        guard count <= 0 else { return .bytes(Int(count)) }
        let reason = unsafe SSL_get_error(session, count)
        return reason == SSL_ERROR_WANT_READ || reason == SSL_ERROR_WANT_WRITE ? .blocked : .ended
    }
}
