import CryptoKit
import Foundation
import ThumbturnCrypto
import ThumbturnDevice

/// A P-256 key in the Secure Enclave that signs for the device, without a prompt.
///
/// Not an `EnclaveKey`: the enclave allows each kind of key one use.
struct EnclaveSigner: Hashable, Sendable {
    /// The key as the enclave exported it, usable only by that enclave.
    let sealedKey: [UInt8]

    /// Makes a key that can be used while the device is unlocked.
    static func make() throws(EnclaveKey.Failure) -> EnclaveSigner {
        do {
            let control = try AccessControl.deviceOnly.control(ofKey: true)
            let key = try SecureEnclave.P256.Signing.PrivateKey(accessControl: control)
            return EnclaveSigner(sealedKey: Array(key.dataRepresentation))
        } catch {
            throw EnclaveKey.Failure(error)
        }
    }

    /// Computes the public half, SubjectPublicKeyInfo in DER.
    func publicKey() throws(EnclaveKey.Failure) -> [UInt8] {
        do {
            return try ThumbturnCrypto.P256.publicKey(of: Array(key().publicKey.x963Representation))
        } catch {
            throw EnclaveKey.Failure(error)
        }
    }

    /// Signs the SHA-256 of `message` in the enclave, in DER.
    func sign(_ message: [UInt8]) throws(EnclaveKey.Failure) -> [UInt8] {
        do {
            return Array(try key().signature(for: message).derRepresentation)
        } catch {
            throw EnclaveKey.Failure(error)
        }
    }

    /// Whether the enclave still signs with it.
    var isUsable: Bool {
        do {
            _ = try sign([])
            return true
        } catch {
            return false
        }
    }

    private func key() throws -> SecureEnclave.P256.Signing.PrivateKey {
        try SecureEnclave.P256.Signing.PrivateKey(dataRepresentation: Data(sealedKey))
    }
}
