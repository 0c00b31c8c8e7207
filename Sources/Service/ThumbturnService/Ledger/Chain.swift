import ThumbturnAudit
import ThumbturnRules

/// A device's chain, as far as its log has it.
struct Chain: Equatable, Sendable {
    /// Which chain.
    struct Name: Hashable, Sendable {
        let device: Identifier
        let epoch: Identifier
    }

    let user: Identifier
    /// SubjectPublicKeyInfo in DER.
    let publicKey: [UInt8]
    /// The `seq` of the next record.
    var next: UInt64
    /// The hash of the last record, or the genesis.
    var head: [UInt8]
    /// Whether it was forked: nothing continues it any more.
    var isEnded = false

    /// A chain of which the log has nothing.
    init(_ name: Name, of user: Identifier, publicKey: [UInt8]) {
        (self.user, self.publicKey, next) = (user, publicKey, 0)
        head = AuditChain.genesis(device: name.device, epoch: name.epoch, publicKey: publicKey)
    }
}

extension Chain {
    /// Reads a chain's row; nil where the log has none.
    init?(_ log: Int64, _ name: Name, _ transaction: any StoreTransaction) throws(StoreError) {
        let row = try transaction.row(
            """
            SELECT user_id, public_key, next_seq, head, ended FROM chains
            WHERE log = $1 AND device_id = $2 AND epoch = $3
            """,
            .integer(log),
            .blob(name.device.bytes),
            .blob(name.epoch.bytes)
        )
        guard let row else { return nil }
        guard let user = Identifier(bytes: try row.blob(0)) else { throw .damaged }
        (self.user, publicKey) = (user, try row.blob(1))
        (next, head) = (try row.count(2), try row.blob(3))
        isEnded = try row.integer(4) != 0
    }

    func insert(_ log: Int64, _ name: Name, _ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.put(
            """
            INSERT INTO chains (log, device_id, epoch, user_id, public_key, next_seq, head, ended)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            """,
            with: [
                .integer(log), .blob(name.device.bytes), .blob(name.epoch.bytes), .blob(user.bytes), .blob(publicKey),
                .count(next), .blob(head), .integer(isEnded ? 1 : 0),
            ]
        )
    }

    func update(_ log: Int64, _ name: Name, _ transaction: any StoreTransaction) throws(StoreError) {
        try transaction.put(
            """
            UPDATE chains SET next_seq = $1, head = $2, ended = $3 WHERE log = $4 AND device_id = $5 AND epoch = $6
            """,
            with: [
                .count(next), .blob(head), .integer(isEnded ? 1 : 0), .integer(log), .blob(name.device.bytes),
                .blob(name.epoch.bytes),
            ]
        )
    }
}
