import CTLS

/// A certificate, its key and the TLS settings: version 1.2 with forward secrecy, or 1.3.
@safe final class TLSContext: @unchecked Sendable {
    // Safe to share: only `init` changes the context, and OpenSSL counts its users with atomics.
    private let context: OpaquePointer

    /// Reads certificate and key.
    init(_ files: HTTPServer.Configuration.TLSFiles) throws(HTTPError) {
        guard let made = unsafe SSL_CTX_new(TLS_server_method()) else { throw .certificate }
        unsafe context = unsafe made
        unsafe tls_set_options(made)
        unsafe SSL_CTX_set_default_passwd_cb(made, Self.noPassphrase)
        let suites = "ECDHE+AESGCM:ECDHE+CHACHA20:!aNULL"
        guard unsafe tls_require_version_1_2(made) == 1, unsafe SSL_CTX_set_cipher_list(made, suites) == 1,
            unsafe SSL_CTX_use_certificate_chain_file(made, files.chain) == 1,
            unsafe SSL_CTX_use_PrivateKey_file(made, files.key, SSL_FILETYPE_PEM) == 1,
            unsafe SSL_CTX_check_private_key(made) == 1
        else {
            ERR_clear_error()
            throw .certificate
        }
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// Refuses a key with a passphrase: by default OpenSSL would ask for it at the terminal.
    private static let noPassphrase:
        @convention(c) (
            UnsafeMutablePointer<CChar>?, CInt, CInt, UnsafeMutableRawPointer?
        ) -> CInt = { _, _, _, _ in -1 }

    /// Creates a server session, which keeps the context alive; returns `nil` without memory.
    func makeSession(_ descriptor: CInt) -> OpaquePointer? {
        guard let session = unsafe SSL_new(context) else { return nil }
        guard unsafe SSL_set_fd(session, descriptor) == 1 else {
            unsafe SSL_free(session)
            return nil
        }
        unsafe SSL_set_accept_state(session)
        return unsafe session
    }
}
