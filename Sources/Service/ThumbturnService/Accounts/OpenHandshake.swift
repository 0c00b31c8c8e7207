import ThumbturnCrypto
import ThumbturnRules

/// A login that began and is not proved yet, as the store keeps it: about a kilobyte.
struct OpenHandshake {
    let id: Identifier
    let nameHash: [UInt8]
    /// The network that began it; its failure counts there, wherever the proof comes from.
    let network: [UInt8]
    let userID: Identifier
    let epoch: Int64
    let group: SRPGroup
    /// A.
    let clientValue: [UInt8]
    /// B.
    let serverValue: [UInt8]
    /// b and the name, sealed.
    let secret: [UInt8]
    let expiresAt: ServiceTime
}

extension Tables {
    /// How many handshakes of a network are open, counted up to `most`.
    func openHandshakes(of network: [UInt8], most: Int64) throws(Problem) -> Int64 {
        let row = try row(
            "SELECT COUNT(*) FROM (SELECT 1 FROM handshakes WHERE network = $1 LIMIT $2) AS open",
            .blob(network),
            .integer(most)
        )
        return try row?.integer(0) ?? 0
    }

    /// How many handshakes are open.
    func openHandshakes() throws(Problem) -> Int64 {
        try row("SELECT COUNT(*) FROM handshakes")?.integer(0) ?? 0
    }

    /// Keeps a handshake, in place of the one that the same network had open for the same name.
    ///
    /// Another network's stays: else a stranger could end the owner's logins by beginning some.
    ///
    /// - Returns: whether one more is open now.
    func open(_ handshake: OpenHandshake) throws(Problem) -> Bool {
        let replaced = try run(
            "DELETE FROM handshakes WHERE name_hash = $1 AND network = $2",
            .blob(handshake.nameHash),
            .blob(handshake.network)
        )
        try put(
            """
            INSERT INTO handshakes
                (id, name_hash, network, user_id, epoch, srp_group, client_value, server_value, secret, expires_at)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            .identifier(handshake.id),
            .blob(handshake.nameHash),
            .blob(handshake.network),
            .identifier(handshake.userID),
            .integer(handshake.epoch),
            .text(handshake.group.rawValue),
            .blob(handshake.clientValue),
            .blob(handshake.serverValue),
            .blob(handshake.secret),
            .time(handshake.expiresAt)
        )
        return replaced == 0
    }

    /// Takes a handshake out, so that there is one proof for each; of several who try, one has it.
    func take(_ id: Identifier) throws(Problem) -> OpenHandshake? {
        let row = try row(
            """
            DELETE FROM handshakes WHERE id = $1 RETURNING
                name_hash, network, user_id, epoch, srp_group, client_value, server_value, secret, expires_at
            """,
            .identifier(id)
        )
        guard let row else { return nil }
        guard let group = SRPGroup(rawValue: try row.text(4)) else { throw Problem(store: .damaged) }
        return OpenHandshake(
            id: id,
            nameHash: try row.blob(0),
            network: try row.blob(1),
            userID: try row.identifier(2),
            epoch: try row.integer(3),
            group: group,
            clientValue: try row.blob(5),
            serverValue: try row.blob(6),
            secret: try row.blob(7),
            expiresAt: try row.time(8)
        )
    }
}
