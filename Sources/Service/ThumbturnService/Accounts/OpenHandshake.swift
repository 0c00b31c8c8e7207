import ThumbturnCrypto
import ThumbturnRules

/// A login that was started and not yet proved, as stored: about a kilobyte.
struct OpenHandshake {
    let id: Identifier
    let nameHash: [UInt8]
    /// The network that started it; a failure counts for this one, even if the proof comes from another.
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
    /// Returns the number of open handshakes of a network, counted up to `most`.
    func openHandshakes(of network: [UInt8], most: Int64) throws(Problem) -> Int64 {
        let row = try row(
            "SELECT COUNT(*) FROM (SELECT 1 FROM handshakes WHERE network = $1 LIMIT $2) AS open",
            .blob(network),
            .integer(most)
        )
        return try row?.integer(0) ?? 0
    }

    func openHandshakes() throws(Problem) -> Int64 { try row("SELECT COUNT(*) FROM handshakes")?.integer(0) ?? 0 }

    /// Stores a handshake, replacing an open one of the same network for the same name.
    ///
    /// Handshakes of other networks stay: otherwise a stranger could end the owner's logins by starting some.
    ///
    /// - Returns: whether the number of open handshakes has grown.
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

    /// Removes and returns a handshake, so that only one proof is possible for each, even with concurrent attempts.
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
