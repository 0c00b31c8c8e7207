internal import ThumbturnCrypto

/// A signer whose key is in a file: PKCS#8 as PEM, with mode 0600 in a private folder.
final class FileSigner: LedgerSigner {
    private let key: P256PrivateKey
    var publicKey: [UInt8] { key.publicKey }

    init(_ path: String) throws(SignerError) {
        let text = try PrivateFile(path).contents(upTo: PKCS8.maximumByteCount)
        do throws(PKCS8.Fault) {
            key = try text.withBytes { bytes throws(PKCS8.Fault) in try P256PrivateKey.reading(pem: bytes) }
        } catch {
            throw SignerError(error)
        }
    }

    /// Makes a key in a new file.
    ///
    /// - Returns: its public half.
    static func make(_ path: String) throws(SignerError) -> [UInt8] {
        let key: P256PrivateKey
        do throws(CryptoError) { key = try .make() } catch { throw .gone }
        try PrivateFile(path).add(key.pem())
        return key.publicKey
    }

    func sign(_ message: [UInt8]) throws(SignerError) -> [UInt8] {
        // OpenSSL refuses for want of memory or random numbers alone, which may come back.
        do throws(CryptoError) { return try key.sign(message) } catch { throw .gone }
    }
}

extension SignerError {
    /// Converts the fault of a file's contents.
    init(_ fault: PKCS8.Fault) {
        self =
            switch fault {
            case .malformed: .damaged
            case .otherKind: .wrongKind
            }
    }
}
