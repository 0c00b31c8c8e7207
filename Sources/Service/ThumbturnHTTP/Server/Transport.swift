import CTLS
import Glibc

/// The bytes of a connection, in TLS or as they are; no call waits.
///
/// The thread must have SIGPIPE blocked: OpenSSL writes to a socket whose other side may be gone.
@safe struct Transport: ~Copyable, @unchecked Sendable {
    // Safe to send: the session has one owner, which is this value, and is never used by two threads at once.
    private let descriptor: Descriptor
    private let session: OpaquePointer?

    /// What became of a read or a write.
    enum Progress {
        case bytes(Int)
        /// Nothing can be read, or written, now.
        case blocked
        /// The other side ended, or the connection failed.
        case ended
    }

    /// - Parameter context: makes the TLS session; nil speaks in the clear.
    /// - Returns: nil where there is no memory for a session.
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

    /// What the system knows the socket by.
    var number: CInt { descriptor.number }

    /// Whether TLS is still being agreed on.
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

    /// The same past TLS: for what is thrown away.
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

    /// Tells the other side that nothing more comes; it may still be read.
    func finishWriting() {
        if let session = unsafe session {
            ERR_clear_error()
            _ = unsafe SSL_shutdown(session)
        }
        _ = shutdown(descriptor.number, CInt(SHUT_WR))
    }

    /// Tells the other side at once that its last bytes came.
    ///
    /// Without tickets nothing follows a handshake that would say so, and a client that gathers small writes would hold back its
    /// request for 40 ms.
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
