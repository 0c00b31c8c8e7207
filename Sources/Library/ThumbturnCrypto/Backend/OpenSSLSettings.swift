#if canImport(COpenSSL)
import COpenSSL

/// The system-wide settings for OpenSSL: `/etc/ssl/openssl.cnf`.
///
/// OpenSSL reads them at its first use, which takes longer than the use. A standalone program may skip them, as
/// `thumbturn` does; a library that an app imports leaves that to the app.
package enum OpenSSLSettings {
    // Safe to share: it is set before there is a second thread, and then only read.
    nonisolated(unsafe) private static var areLeftOut = false

    /// Makes OpenSSL skip its settings; call it before any other use, in a program that knows what it needs from
    /// OpenSSL.
    package static func leaveOut() {
        unsafe areLeftOut = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG), nil) == 1
    }

    /// Reads the settings after all if they were skipped: for TLS, they say which versions are too old.
    package static func takeUp() { _ = areTakenUp }

    private static let areTakenUp: Bool = {
        guard unsafe areLeftOut else { return true }
        // As OpenSSL does: a missing file is no error, nor is a line that it can't read.
        let flags = CONF_MFLAGS_DEFAULT_SECTION | CONF_MFLAGS_IGNORE_MISSING_FILE | CONF_MFLAGS_IGNORE_RETURN_CODES
        return CONF_modules_load_file(nil, nil, UInt(flags)) == 1
    }()
}
#endif
