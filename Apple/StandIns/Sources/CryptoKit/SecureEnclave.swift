public import Foundation
public import LocalAuthentication
public import Security
public import StandIn

/// The part of the processor that keeps keys.
public enum SecureEnclave {
    /// Whether there is one.
    public static var isAvailable: Bool { Phone.current.hasEnclave }

    /// The NIST curve P-256.
    public enum P256 {
        /// Key agreement on it.
        public enum KeyAgreement {
            /// A private key that never leaves the enclave.
            public struct PrivateKey: Sendable {
                /// The key, encrypted so that only this enclave can use it.
                public let dataRepresentation: Data
                public let publicKey: CryptoKit.P256.KeyAgreement.PublicKey
                private let context: PhoneContext?

                /// Makes a key; it never prompts.
                public init(
                    compactRepresentable: Bool = true,
                    accessControl: SecAccessControl = SecAccessControl(
                        Control(
                            flags: Control.privateKeyUsage,
                            protection: .afterFirstUnlockThisDeviceOnly
                        )
                    ),
                    authenticationContext: LAContext? = nil
                ) throws {
                    // Without it the key could not be used for anything [apple-src].
                    guard accessControl.control.has(Control.privateKeyUsage) else { throw status(errSecParam) }
                    let privateKey = try Curve.makePrivateKey()
                    publicKey = try .init(x963Representation: Curve.publicKey(of: privateKey))
                    context = authenticationContext?.phoneContext
                    dataRepresentation = try translated { () throws(EnclaveFailure) in
                        try Phone.current.keepKey(privateKey, control: accessControl.control)
                    }
                }

                /// Opens a key; it never prompts.
                public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                    let privateKey = try translated { () throws(EnclaveFailure) in
                        try Phone.current.openKey(dataRepresentation)
                    }
                    self.dataRepresentation = dataRepresentation
                    publicKey = try .init(x963Representation: Curve.publicKey(of: privateKey))
                    context = authenticationContext?.phoneContext
                }

                /// Uses the key; this is where the prompt is, and it blocks as long as that is up.
                public func sharedSecretFromKeyAgreement(
                    with publicKeyShare: CryptoKit.P256.KeyAgreement.PublicKey
                ) throws -> SharedSecret {
                    let privateKey = try translated { () throws(EnclaveFailure) in
                        try Phone.current.useKey(dataRepresentation, context: context)
                    }
                    return SharedSecret(try Curve.agree(privateKey, with: publicKeyShare.x963Representation))
                }
            }
        }
    }
}

extension SecureEnclave.P256 {
    /// Signatures on it.
    public enum Signing {
        /// A private key that never leaves the enclave.
        public struct PrivateKey: Sendable {
            /// The key, encrypted so that only this enclave can use it.
            public let dataRepresentation: Data
            public let publicKey: CryptoKit.P256.Signing.PublicKey
            private let context: PhoneContext?

            /// Makes a key; it never prompts.
            public init(
                compactRepresentable: Bool = true,
                accessControl: SecAccessControl = SecAccessControl(
                    Control(
                        flags: Control.privateKeyUsage,
                        protection: .afterFirstUnlockThisDeviceOnly
                    )
                ),
                authenticationContext: LAContext? = nil
            ) throws {
                guard accessControl.control.has(Control.privateKeyUsage) else { throw status(errSecParam) }
                let privateKey = try Curve.makePrivateKey()
                publicKey = .init(x963Representation: try Curve.publicKey(of: privateKey))
                context = authenticationContext?.phoneContext
                dataRepresentation = try translated { () throws(EnclaveFailure) in
                    try Phone.current.keepKey(privateKey, control: accessControl.control)
                }
            }

            /// Opens a key; it never prompts.
            public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
                let privateKey = try translated { () throws(EnclaveFailure) in
                    try Phone.current.openKey(dataRepresentation)
                }
                self.dataRepresentation = dataRepresentation
                publicKey = .init(x963Representation: try Curve.publicKey(of: privateKey))
                context = authenticationContext?.phoneContext
            }

            /// Uses the key; this is where the prompt would be.
            public func signature<Message: DataProtocol>(
                for data: Message
            ) throws -> CryptoKit.P256.Signing.ECDSASignature {
                let privateKey = try translated { () throws(EnclaveFailure) in
                    try Phone.current.useKey(dataRepresentation, context: context, .signKey)
                }
                return .init(derRepresentation: try Curve.sign(Data(data), by: privateKey))
            }
        }
    }
}

/// Throws as the enclave does.
private func translated<Result>(_ body: () throws(EnclaveFailure) -> Result) throws -> Result {
    do throws(EnclaveFailure) {
        return try body()
    } catch {
        switch error {
        case .absent: throw NSError(domain: "CryptoTokenKit", code: -7)
        case .status(let code): throw status(code)
        case .refused(let code):
            throw LAError.Code(rawValue: code).map { LAError($0) } ?? LAError(.authenticationFailed)
        // "setoken: unable to compute shared secret" [field]; that a revoked key gives just this is [inf].
        case .badKey: throw NSError(domain: "CryptoTokenKit", code: -3)
        }
    }
}

private func status(_ code: OSStatus) -> NSError { NSError(domain: NSOSStatusErrorDomain, code: Int(code)) }
