/// Why a text names no signer.
///
/// No case repeats what was given, which may be a PIN in the wrong place.
package enum SignerLocationError: Error, Hashable, Sendable {
    /// It is neither `file:PATH` nor a PKCS#11 URI.
    case scheme
    /// A PKCS#11 URI is not in the form of RFC 7512.
    case malformed
    /// A PKCS#11 URI has an attribute that is not known here, or one twice.
    case unknownAttribute
    /// A PKCS#11 URI lacks `token`, `object` and `id`, or `module-path`.
    case incomplete
    /// `module-path` or `pin-source` is not the path of a file from the root.
    case relativePath
    /// `pin-value` is refused: every user of the machine sees the command line of a process.
    case pinInside
}
