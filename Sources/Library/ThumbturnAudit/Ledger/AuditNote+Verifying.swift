import ThumbturnCrypto

extension AuditNote {
    /// The signature of a key, not verified; nil without a line of it.
    ///
    /// The line of a log's key has the log's origin as its name.
    package func signature(by key: AuditKey) -> [UInt8]? {
        signatures.first { $0.isOf(name: checkpoint.origin, keyId: key.keyId) }?.bytes
    }

    /// Verifies the signature of a key.
    ///
    /// - Throws: `.unsigned` without a line of this key, and for one that is wrong.
    package func verify(by key: AuditKey) throws(AuditError) {
        guard let signature = signature(by: key) else { throw .unsigned }
        do throws(CryptoError) {
            try P256.verify(signature: signature, of: checkpoint.text, publicKey: key.publicKey)
        } catch { throw .unsigned }
    }

    /// Verifies the signatures of those of several keys that have one.
    ///
    /// - Throws: `.unsigned` if there is none, and if one is wrong (C2SP signed-note).
    package func verify(byAnyOf keys: [AuditKey]) throws(AuditError) {
        let signing = keys.filter { signature(by: $0) != nil }
        guard !signing.isEmpty else { throw .unsigned }
        for key in signing { try verify(by: key) }
    }
}
