package import ThumbturnFiles

/// Why a signer could not be opened, or could not sign.
///
/// No case carries a key, a PIN, or text from a command line.
package enum SignerError: Error, Hashable, Sendable {
    /// The token is away or does not answer: try again later, with a new session.
    case gone
    /// The file does not exist, or the token has no such key.
    case keyMissing
    /// No token fits the location: it is away, or has another label.
    case tokenMissing
    /// Several tokens, or several keys of one, fit the location.
    case ambiguous
    /// It is not a private key of the kind that signs here, or a token's key that may not sign without a prompt each
    /// time.
    case wrongKind
    /// The token has no public half of the key, or another key's.
    case publicKeyMissing
    /// There is no PKCS#11 module at the path, or it can't be loaded.
    case moduleMissing
    /// The token needs a PIN, and the location names no source of it.
    case pinMissing
    /// The token refused the PIN.
    ///
    /// The same PIN is not tried a second time, since tokens lock themselves.
    case pinRefused
    /// The token accepts no PIN any more.
    case pinLocked
    /// A file can't be used or made.
    case unreadable(SignerFile, FileError)
    /// The file of a key is damaged.
    case damaged
    /// The token refused with this code of PKCS#11 (`CKR_…`).
    case refused(UInt)

    /// Whether it may pass without anything being changed here.
    package var isPassing: Bool { self == .gone || self == .tokenMissing }
}

/// The files that a signer reads.
package enum SignerFile: Hashable, Sendable {
    /// A private key.
    case key
    /// The folder of one.
    case folder
    /// The PIN of a token.
    case pin
}
