import ThumbturnRules

/// A device of an account.
struct Device {
    let id: Identifier
    let userID: Identifier
    let publicKey: [UInt8]
    let createdAt: ServiceTime
    let isRevoked: Bool
}

extension Tables {
    func device(_ id: Identifier) throws(Problem) -> Device? {
        let row = try row(
            "SELECT user_id, public_key, created_at, revoked_at FROM devices WHERE device_id = $1",
            .identifier(id)
        )
        guard let row else { return nil }
        return Device(
            id: id,
            userID: try row.identifier(0),
            publicKey: try row.blob(1),
            createdAt: try row.time(2),
            isRevoked: try row.optionalInteger(3) != nil
        )
    }

    /// The devices of an account that are not revoked, oldest first.
    func devices(of userID: Identifier) throws(Problem) -> [Device] {
        let rows = try rows(
            """
            SELECT device_id, public_key, created_at FROM devices WHERE user_id = $1 AND revoked_at IS NULL
            ORDER BY created_at, device_id
            """,
            .identifier(userID)
        )
        return try rows.map { row throws(Problem) in
            Device(
                id: try row.identifier(0),
                userID: userID,
                publicKey: try row.blob(1),
                createdAt: try row.time(2),
                isRevoked: false
            )
        }
    }

    /// Whether a device of an account that was closed had the identifier.
    func isFormer(_ id: Identifier) throws(Problem) -> Bool {
        try row("SELECT 1 FROM former_devices WHERE device_id = $1", .identifier(id)) != nil
    }

    /// - Returns: false where a device has the identifier already.
    func insert(_ device: Device) throws(Problem) -> Bool {
        try run(
            """
            INSERT INTO devices (device_id, user_id, public_key, algorithm, created_at, revoked_at)
            VALUES ($1, $2, $3, $4, $5, NULL) ON CONFLICT (device_id) DO NOTHING
            """,
            .identifier(device.id),
            .identifier(device.userID),
            .blob(device.publicKey),
            .text(DeviceKey.algorithm),
            .time(device.createdAt)
        ) == 1
    }

    /// A device that was revoked stays, so that its identifier is never taken again, and it hears why it is refused.
    func revoke(_ device: Device, at now: ServiceTime) throws(Problem) {
        try put("UPDATE devices SET revoked_at = $1 WHERE device_id = $2", .time(now), .identifier(device.id))
    }
}
