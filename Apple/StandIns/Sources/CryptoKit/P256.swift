public import Foundation

/// CryptoKit's errors.
public enum CryptoKitError: Error {
    case incorrectKeySize
    case incorrectParameterSize
    case authenticationFailure
    case underlyingCoreCryptoError(error: Int32)
    case wrapFailure
    case unwrapFailure
}

/// The NIST curve P-256.
public enum P256 {
    /// Key agreement on it.
    public enum KeyAgreement {
        /// A private key in memory.
        public struct PrivateKey: Sendable {
            private let der: Data
            public let publicKey: PublicKey

            /// Makes a key.
            public init(compactRepresentable: Bool = true) {
                do {
                    try self.init(der: Curve.makePrivateKey())
                } catch {
                    preconditionFailure("OpenSSL makes no key: \(error)")
                }
            }

            /// Takes a scalar of 32 bytes.
            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                let scalar = unsafe rawRepresentation.withUnsafeBytes { unsafe Data($0) }
                guard scalar.count == 32 else { throw CryptoKitError.incorrectKeySize }
                // RFC 5915: version 1, the scalar, the curve; OpenSSL computes the public half that is left out.
                let prefix: [UInt8] = [0x30, 0x31, 0x02, 0x01, 0x01, 0x04, 0x20]
                let curve: [UInt8] = [0xA0, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
                try self.init(der: Data(prefix) + scalar + Data(curve))
            }

            private init(der: Data) throws {
                self.der = der
                publicKey = try PublicKey(x963Representation: Curve.publicKey(of: der))
            }

            public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
                SharedSecret(try Curve.agree(der, with: publicKeyShare.x963Representation))
            }
        }

        /// A public key.
        public struct PublicKey: Sendable {
            /// `04 ‖ x ‖ y`, 65 bytes.
            public let x963Representation: Data

            /// `x ‖ y`, 64 bytes.
            public var rawRepresentation: Data { x963Representation.dropFirst() }

            public init<Bytes: ContiguousBytes>(x963Representation: Bytes) throws {
                let point = unsafe x963Representation.withUnsafeBytes { unsafe Data($0) }
                try Curve.check(point: point)
                self.x963Representation = point
            }

            public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
                let point = unsafe rawRepresentation.withUnsafeBytes { unsafe Data($0) }
                try self.init(x963Representation: Data([4]) + point)
            }
        }
    }
}

extension P256 {
    /// Signatures on it.
    public enum Signing {
        /// A public key.
        public struct PublicKey: Sendable {
            /// `04 ‖ x ‖ y`, 65 bytes.
            public let x963Representation: Data
        }

        /// A signature.
        public struct ECDSASignature: Sendable {
            /// ECDSA-Sig-Value.
            public let derRepresentation: Data
        }
    }
}

/// What two keys agree on; not uniformly distributed, so only good as input of a derivation.
public struct SharedSecret: ContiguousBytes, Hashable, Sendable {
    private let bytes: Data

    init(_ bytes: Data) { self.bytes = bytes }

    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try unsafe bytes.withUnsafeBytes(body)
    }
}
