import CryptoKit
import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// A P-256 key in the Secure Enclave and a point: their key agreement is a secret that only that enclave can compute.
///
/// The point's private half computed the secret once and was discarded. A point derived from a PIN would not do: an
/// attacker who knows the key's public half could compute the secret from the PIN, without the enclave.
///
/// The key itself never leaves the enclave, but its output does: code running in our process while the secret is in use
/// can keep that one secret, but not the key, and each item has another secret.
struct EnclaveKey: Hashable, Sendable {
    /// The key as the enclave exported it, usable only by that enclave.
    let sealedKey: [UInt8]
    /// The point: `04 ‖ x ‖ y`.
    let peer: [UInt8]

    static let peerByteCount = 65
    static let maximumKeyByteCount = 1_024

    /// The enclave failed; its codes are not documented, so they are carried, but not interpreted.
    struct Failure: Error {
        let code: UnderlyingCode?

        init(_ error: any Error) {
            if let failure = error as? KeychainFailure {
                code = failure.code
            } else {
                let error = error as NSError
                code =
                    switch error.domain {
                    case NSOSStatusErrorDomain: UnderlyingCode(.osStatus, error.code)
                    case LAErrorDomain: UnderlyingCode(.localAuthentication, error.code)
                    default: nil
                    }
            }
        }
    }

    /// A new key, and its secret.
    struct Fresh: ~Copyable {
        let key: EnclaveKey
        let secret: SecretBytes
    }

    /// Makes a key with this access control; never prompts.
    static func make(for access: AccessControl) throws(Failure) -> Fresh {
        do {
            let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                compactRepresentable: false,
                accessControl: access.control(ofKey: true)
            )
            let peer = CryptoKit.P256.KeyAgreement.PrivateKey(compactRepresentable: false)
            let secret = SecretBytes(try peer.sharedSecretFromKeyAgreement(with: key.publicKey))
            let place = EnclaveKey(
                sealedKey: Array(key.dataRepresentation),
                peer: Array(peer.publicKey.x963Representation)
            )
            return Fresh(key: place, secret: secret)
        } catch {
            throw Failure(error)
        }
    }

    /// Computes the secret in the enclave; a guarded key needs a context in which the owner was recognised.
    ///
    /// The context must not allow a prompt: the enclave would show one, and block the keychain's queue.
    func secret(in context: LAContext) throws(Failure) -> SecretBytes {
        do {
            let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                dataRepresentation: Data(sealedKey),
                authenticationContext: context
            )
            let peer = try CryptoKit.P256.KeyAgreement.PublicKey(x963Representation: Data(peer))
            return SecretBytes(try key.sharedSecretFromKeyAgreement(with: peer))
        } catch {
            throw Failure(error)
        }
    }

    /// Whether the enclave makes and uses keys at the moment.
    ///
    /// If it does, but repeatedly refuses this key, this key is gone for good.
    static var enclaveWorks: Bool {
        do {
            let fresh = try make(for: .deviceOnly)
            return SecretBytes.constantTimeEqual(try fresh.key.secret(in: .quiet()), fresh.secret)
        } catch {
            return false
        }
    }
}

extension AccessControl {
    /// Converts to the access control of Apple's systems.
    ///
    /// - Parameter ofKey: for a key of the enclave, which can't be used without a flag of its own.
    /// - Throws: when the system refuses it, so that nothing is ever added with weaker protection.
    func control(ofKey: Bool) throws(KeychainFailure) -> SecAccessControl {
        var flags: SecAccessControlCreateFlags =
            switch self {
            case .deviceOnly: []
            case .currentBiometrySet: .biometryCurrentSet
            case .anyBiometryOrPasscode: [.biometryAny, .or, .devicePasscode]
            }
        if ofKey { flags.insert(.privateKeyUsage) }
        let protection = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
        guard let control = SecAccessControlCreateWithFlags(nil, protection, flags, nil) else {
            throw KeychainFailure(status: errSecParam)
        }
        return control
    }
}

extension SecretBytes {
    /// Copies a key agreement's output; CryptoKit wipes its own copy.
    fileprivate init(_ shared: SharedSecret) {
        let byteCount = unsafe shared.withUnsafeBytes { $0.count }
        self = unsafe SecretBytes(byteCount: byteCount) { buffer in
            unsafe shared.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
        }
    }
}
