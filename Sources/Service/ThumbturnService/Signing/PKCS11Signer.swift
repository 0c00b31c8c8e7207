internal import ThumbturnCrypto

/// A signer whose key is on a token, reached through a PKCS#11 module.
///
/// The digest is made here and signed by raw `CKM_ECDSA`, which every token for P-256 has. Sessions and handles are
/// never kept after a failure: tokens restart, and number their objects anew.
final class PKCS11Signer: LedgerSigner {
    let publicKey: [UInt8]
    private let place: PKCS11URI
    private let module: PKCS11Module
    private var connection: PKCS11Connection?

    convenience init(_ place: PKCS11URI) throws(SignerError) {
        try self.init(place, PKCS11Module.load(place.modulePath))
    }

    /// Finds the key, and lets it sign once, which shows that it may, and which public key is its own.
    init(_ place: PKCS11URI, _ module: PKCS11Module) throws(SignerError) {
        let connection = try module.connect(place)
        guard let raw = try connection.sign(SHA256.digest(Self.probe)) else { throw .gone }
        let signature = try Self.signature(raw)
        let publicKey = connection.publicKeys.first { publicKey in
            (try? P256.verify(signature: signature, of: Self.probe, publicKey: publicKey)) != nil
        }
        guard let publicKey else { throw .publicKeyMissing }
        (self.publicKey, self.place, self.module) = (publicKey, place, module)
        self.connection = connection
    }

    /// A message that can't be taken for another: no head of a ledger begins so.
    private static let probe = Array("thumbturn.audit.probe.v1\n".utf8)

    func sign(_ message: [UInt8]) throws(SignerError) -> [UInt8] {
        let digest = SHA256.digest(message)
        do throws(SignerError) {
            if let raw = try connection?.sign(digest) { return try Self.signature(raw) }
            connection = nil
            let connection = try connectAgain()
            self.connection = connection
            guard let raw = try connection.sign(digest) else { throw .gone }
            return try Self.signature(raw)
        } catch {
            connection = nil
            throw error
        }
    }

    /// Finds the token and the key again: what was there and is not now is away.
    private func connectAgain() throws(SignerError) -> PKCS11Connection {
        let connection: PKCS11Connection
        do throws(SignerError) { connection = try module.connect(place) } catch {
            throw [.tokenMissing, .keyMissing].contains(error) ? .gone : error
        }
        // Another key took its name.
        guard connection.publicKeys.contains(publicKey) else { throw .keyMissing }
        return connection
    }

    /// Encodes r and s, 32 bytes each, in DER; what is neither counts as a token that failed.
    private static func signature(_ raw: [UInt8]) throws(SignerError) -> [UInt8] {
        guard raw.count == 64 else { throw .gone }
        do throws(CryptoError) {
            return try P256.signature(r: Array(raw.prefix(32)), s: Array(raw.suffix(32)))
        } catch {
            throw .gone
        }
    }
}
