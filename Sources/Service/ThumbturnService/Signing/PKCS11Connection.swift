internal import CPKCS11
internal import ThumbturnCrypto

/// A session, closed with its last reference.
final class PKCS11Session {
    let handle: CK_SESSION_HANDLE
    /// The module's generation in which it was opened.
    let generation: Int
    let module: PKCS11Module

    init(handle: CK_SESSION_HANDLE, generation: Int, module: PKCS11Module) {
        (self.handle, self.generation, self.module) = (handle, generation, module)
    }

    deinit {
        let handle = handle
        _ = try? module.calling(since: generation) { functions throws(SignerError) in functions.close(handle) }
    }
}

/// A private key on a token, in a session of its own.
struct PKCS11Connection {
    private let session: PKCS11Session
    private let key: CK_OBJECT_HANDLE
    /// SubjectPublicKeyInfo of each key that may be the public half, the most likely first.
    let publicKeys: [[UInt8]]

    /// Finds the key in a session that is logged in.
    ///
    /// - Throws: `.keyMissing`, `.ambiguous`, `.wrongKind`.
    init(_ session: PKCS11Session, _ place: PKCS11URI, _ functions: PKCS11Functions) throws(SignerError) {
        let search = KeySearch(session: session.handle, functions: functions)
        key = try search.privateKey(place)
        publicKeys = try search.publicKeys(of: key)
        self.session = session
    }

    /// Returns the raw signature of a digest; `nil` if the session is gone since the module was started anew.
    func sign(_ digest: [UInt8]) throws(SignerError) -> [UInt8]? {
        let module = session.module
        do throws(SignerError) {
            let signature = try module.calling(since: session.generation) { functions throws(SignerError) in
                try functions.sign(session.handle, key, digest)
            }
            if signature != nil { module.note(isAlive: true) }
            return signature
        } catch {
            module.note(isAlive: false)
            throw error
        }
    }
}

/// A search for a key and its public half.
private struct KeySearch {
    let session: CK_SESSION_HANDLE
    let functions: PKCS11Functions

    /// secp256r1, as `CKA_EC_PARAMS` has it: an OBJECT IDENTIFIER in DER.
    private static let curve: [UInt8] = [0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 3, 1, 7]

    func privateKey(_ place: PKCS11URI) throws(SignerError) -> CK_OBJECT_HANDLE {
        var attributes = [Self.number(CKA_CLASS, CKO_PRIVATE_KEY)]
        if let label = place.object { attributes.append((CKA_LABEL, label)) }
        if let id = place.id { attributes.append((CKA_ID, id)) }
        let found = try functions.objects(session, attributes)
        guard let key = found.first else { throw .keyMissing }
        guard found.count == 1 else { throw .ambiguous }
        guard try value(CKA_KEY_TYPE, key) == Self.number(CKA_KEY_TYPE, CKK_EC).value,
            try value(CKA_EC_PARAMS, key) ?? Self.curve == Self.curve,
            try value(CKA_SIGN, key) != [0],
            try value(CKA_ALWAYS_AUTHENTICATE, key) ?? [0] == [0]
        else { throw .wrongKind }
        return key
    }

    /// Returns the points of public keys with the same identifier, or else with the same label, and that of the private
    /// key itself.
    func publicKeys(of key: CK_OBJECT_HANDLE) throws(SignerError) -> [[UInt8]] {
        var points: [[UInt8]] = []
        for type in [CKA_ID, CKA_LABEL] {
            guard points.isEmpty, let name = try value(type, key), !name.isEmpty else { continue }
            let attributes = [Self.number(CKA_CLASS, CKO_PUBLIC_KEY), (type, name)]
            for object in try functions.objects(session, attributes) {
                guard try value(CKA_EC_PARAMS, object) ?? Self.curve == Self.curve else { continue }
                if let point = try value(CKA_EC_POINT, object) { points.append(point) }
            }
        }
        if let point = try value(CKA_EC_POINT, key) { points.append(point) }
        return points.compactMap { point in
            // An OCTET STRING in DER; some tokens return its contents.
            try? P256.publicKey(of: point.starts(with: [0x04, 65, 0x04]) ? Array(point.dropFirst(2)) : point)
        }
    }

    private func value(_ type: CK_ATTRIBUTE_TYPE, _ object: CK_OBJECT_HANDLE) throws(SignerError) -> [UInt8]? {
        try functions.value(type, of: object, session)
    }

    private static func number(_ type: CK_ATTRIBUTE_TYPE, _ value: CK_ULONG) -> PKCS11Functions.Attribute {
        (type, unsafe withUnsafeBytes(of: value) { unsafe Array($0) })
    }
}
