internal import ThumbturnFiles

/// The location of a key that signs the ledger; each thread that signs opens its own signer.
package enum SignerLocation: Sendable, Hashable {
    /// The path of a file: PKCS#8 as PEM.
    case file(String)
    /// A key on a token, by its URI.
    case pkcs11(PKCS11URI)

    /// Parses `file:PATH` or a PKCS#11 URI (RFC 7512).
    package init(parsing text: String) throws(SignerLocationError) {
        if let path = text.rest(behind: "file:") {
            guard !path.isEmpty else { throw .scheme }
            self = .file(path)
        } else if let attributes = text.rest(behind: "pkcs11:") {
            self = .pkcs11(try PKCS11URI(attributes))
        } else {
            throw .scheme
        }
    }

    /// Opens a signer, and makes sure that it can sign.
    ///
    /// - Throws: `.tokenMissing` or `.gone` while a token is away; why it can't be used otherwise.
    package func open() throws(SignerError) -> any LedgerSigner {
        switch self {
        case .file(let path): try FileSigner(path)
        case .pkcs11(let place): try PKCS11Signer(place)
        }
    }
}

// Making keys, which a token does itself.
extension SignerLocation {
    /// Makes a key in a new file.
    ///
    /// - Returns: its public half: SubjectPublicKeyInfo in DER.
    /// - Throws: `.unreadable`, with `FileError.taken` if anything exists at the path.
    package static func make(at path: String) throws(SignerError) -> [UInt8] { try FileSigner.make(path) }

    /// Returns whether certainly no key is at the path, and one can be put there.
    package static func isAbsent(at path: String) throws(SignerError) -> Bool { try PrivateFile(path).isAbsent() }

    /// Makes a key at the path unless one is there, which another process may have made just now.
    ///
    /// - Returns: its location, and whether it is new: then it is not the key that signed the ledger before.
    /// - Throws: `.unreadable`. A key that is there is not read.
    package static func established(at path: String) throws(SignerError) -> (location: SignerLocation, isNew: Bool) {
        guard try isAbsent(at: path) else { return (.file(path), false) }
        do throws(SignerError) {
            _ = try make(at: path)
            return (.file(path), true)
        } catch {
            guard error == .unreadable(.key, .taken) else { throw error }
            return (.file(path), false)
        }
    }
}
