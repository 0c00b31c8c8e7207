import CryptoKit
import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice

/// A P-256 key in the Secure Enclave and the point it agrees with: together one secret, which only that enclave computes.
///
/// The point's private half made the secret once and was thrown away. A point that follows from a PIN would not do: whoever
/// knows the key's public half could compute the same secret from the PIN, and would not need the enclave.
///
/// The key itself never leaves. What it computes does: code that runs in our process while the secret is in use can keep
/// that one secret, but not the key, and another item's secret is another one.
struct EnclaveKey: Hashable, Sendable {
    /// The key as the enclave gave it out, of use to no other.
    let sealedKey: [UInt8]
    /// The point: `04 ‖ x ‖ y`.
    let peer: [UInt8]

    static let peerByteCount = 65
    static let maximumKeyByteCount = 1_024

    /// The enclave did not do what was asked; its codes are not documented, so nothing can be made of them.
    struct Failure: Error {}

    /// A key that was just made, and its secret.
    struct Fresh: ~Copyable {
        let key: EnclaveKey
        let secret: SecretBytes
    }

    /// Makes a key that can be used as `access` says; it never prompts.
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
            throw Failure()
        }
    }

    /// Lets the enclave compute the secret; a guarded key needs a context in which the owner was recognised.
    ///
    /// The context must be one that shows nothing: the enclave would ask by itself, and hold up the keychain's queue.
    func secret(in context: LAContext) throws(Failure) -> SecretBytes {
        do {
            let key = try SecureEnclave.P256.KeyAgreement.PrivateKey(
                dataRepresentation: Data(sealedKey),
                authenticationContext: context
            )
            let peer = try CryptoKit.P256.KeyAgreement.PublicKey(x963Representation: Data(peer))
            return SecretBytes(try key.sharedSecretFromKeyAgreement(with: peer))
        } catch {
            throw Failure()
        }
    }

    /// Whether the enclave makes and uses keys at all now.
    ///
    /// Where it does, and refuses this one again and again, this one is gone for good.
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
    /// What Apple's systems call this.
    ///
    /// - Parameter ofKey: for a key of the enclave, which is of no use at all without a flag of its own.
    /// - Throws: when they refuse it, so that nothing is ever added with less.
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
    /// Copies what a key agreement gave; CryptoKit wipes its own.
    fileprivate init(_ shared: SharedSecret) {
        let byteCount = unsafe shared.withUnsafeBytes { $0.count }
        self = unsafe SecretBytes(byteCount: byteCount) { buffer in
            unsafe shared.withUnsafeBytes { unsafe buffer.copyMemory(from: $0) }
        }
    }
}
