internal import ThumbturnCrypto

/// The optional second signer of each head: an Ed25519 key in a file, which the public network of witnesses asks for.
///
/// Not `Sendable`: only one thread uses it.
package final class WitnessSigner {
    private let key: Ed25519PrivateKey
    /// 32 bytes.
    package var publicKey: [UInt8] { key.publicKey }

    fileprivate init(_ path: String) throws(SignerError) {
        let text = try PrivateFile(path).contents(upTo: PKCS8.maximumByteCount)
        do throws(PKCS8.Fault) {
            key = try text.withBytes { bytes throws(PKCS8.Fault) in try Ed25519PrivateKey.reading(pem: bytes) }
        } catch {
            throw SignerError(error)
        }
    }

    /// Signs `message`; returns 64 bytes.
    package func sign(_ message: [UInt8]) -> [UInt8] { key.sign(message) }
}

/// The location of a witness key: a file, in PKCS#8 as PEM.
package struct WitnessLocation: Sendable, Hashable {
    /// The path of the file.
    package let path: String

    /// Parses `file:PATH`.
    ///
    /// - Throws: `.scheme` for anything else.
    package init(parsing text: String) throws(SignerLocationError) {
        guard let path = text.rest(behind: "file:"), !path.isEmpty else { throw .scheme }
        self.path = path
    }

    /// Reads the key.
    ///
    /// - Throws: `.keyMissing`, `.unreadable`, `.damaged`, `.wrongKind`.
    package func open() throws(SignerError) -> WitnessSigner { try WitnessSigner(path) }

    /// Makes a key in a new file.
    ///
    /// - Returns: its public half, 32 bytes.
    /// - Throws: `.unreadable`, with `FileError.taken` if anything exists at the path.
    package func make() throws(SignerError) -> [UInt8] {
        let key: Ed25519PrivateKey
        do throws(CryptoError) { key = try .make() } catch { throw .gone }
        try PrivateFile(path).add(key.pem())
        return key.publicKey
    }
}
