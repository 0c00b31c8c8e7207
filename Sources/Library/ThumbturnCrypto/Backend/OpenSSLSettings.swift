#if canImport(COpenSSL)
import COpenSSL

/// What the system's administrator tells every program that uses OpenSSL: `/etc/ssl/openssl.cnf`.
///
/// OpenSSL reads it at its first use, which takes longer than the use. A program of its own may leave it out, as `thumbturn`
/// does; a library that an app imports leaves that to the app.
package enum OpenSSLSettings {
    // Safe to share: it is set before there is a second thread, and then only read.
    nonisolated(unsafe) private static var areLeftOut = false

    /// Lets OpenSSL begin without its settings; to be called first of all, by a program that knows what it asks OpenSSL for.
    package static func leaveOut() {
        unsafe areLeftOut = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1
    }

    /// Reads them after all where they were left out, for TLS, of which they say what is too old.
    package static func takeUp() { _ = areTakenUp }

    private static let areTakenUp: Bool = {
        guard unsafe areLeftOut else { return true }
        // As OpenSSL does it: no file is no fault, and neither is a line that it can't read.
        let flags = CONF_MFLAGS_DEFAULT_SECTION | CONF_MFLAGS_IGNORE_MISSING_FILE | CONF_MFLAGS_IGNORE_RETURN_CODES
        return CONF_modules_load_file(nil, nil, UInt(flags)) == 1
    }()
}
#endif
