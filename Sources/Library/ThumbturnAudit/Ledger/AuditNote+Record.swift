extension AuditNote {
    /// The signature that records carry to readers whose first checkpoint this is: that of the first line that is a log's
    /// key's, not verified; nil if none is.
    ///
    /// So where two keys sign, each reader and each export name the same one.
    ///
    /// - Parameter keys: the log's.
    package func signature(ofFirst keys: [AuditKey]) -> (key: AuditKey, bytes: [UInt8])? {
        for line in signatures {
            if let key = keys.first(where: { line.isOf(name: checkpoint.origin, keyId: $0.keyId) }) {
                return (key, line.bytes)
            }
        }
        return nil
    }
}
