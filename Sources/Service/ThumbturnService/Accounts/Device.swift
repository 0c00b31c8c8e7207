import ThumbturnAudit
import ThumbturnRules

struct Device {
    let id: Identifier
    let userID: Identifier
    let publicKey: [UInt8]
    let createdAt: ServiceTime
    var isRevoked = false
    /// The sealed key with which the service proves its answers to the device.
    var contactKey: [UInt8]
    /// The name its owner gave it.
    var name: String?
}

extension Tables {
    func device(_ id: Identifier) throws(Problem) -> Device? {
        let row = try row(
            "SELECT user_id, public_key, created_at, revoked_at, contact_key, name FROM devices WHERE device_id = $1",
            .identifier(id)
        )
        guard let row else { return nil }
        return Device(
            id: id,
            userID: try row.identifier(0),
            publicKey: try row.blob(1),
            createdAt: try row.time(2),
            isRevoked: try row.optionalInteger(3) != nil,
            contactKey: try row.blob(4),
            name: try row.optionalText(5)
        )
    }

    /// Returns the devices of an account that are not revoked, oldest first.
    func devices(of userID: Identifier) throws(Problem) -> [Device] {
        let rows = try rows(
            """
            SELECT device_id, public_key, created_at, contact_key, name FROM devices
            WHERE user_id = $1 AND revoked_at IS NULL
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
                contactKey: try row.blob(3),
                name: try row.optionalText(4)
            )
        }
    }

    /// Returns whether a device of a closed account had the identifier.
    func isFormer(_ id: Identifier) throws(Problem) -> Bool {
        try row("SELECT 1 FROM former_devices WHERE device_id = $1", .identifier(id)) != nil
    }

    /// - Returns: false if a device already has the identifier.
    func insert(_ device: Device) throws(Problem) -> Bool {
        try run(
            """
            INSERT INTO devices (device_id, user_id, public_key, algorithm, created_at, revoked_at, contact_key, name)
            VALUES ($1, $2, $3, $4, $5, NULL, $6, $7) ON CONFLICT (device_id) DO NOTHING
            """,
            .identifier(device.id),
            .identifier(device.userID),
            .blob(device.publicKey),
            .text(DeviceKey.algorithm),
            .time(device.createdAt),
            .blob(device.contactKey),
            device.name.map(StoreValue.text) ?? .null
        ) == 1
    }

    /// Stores the contact key and name that a device's login supplies.
    func update(_ device: Device) throws(Problem) {
        try put(
            "UPDATE devices SET contact_key = $1, name = $2 WHERE device_id = $3",
            .blob(device.contactKey),
            device.name.map(StoreValue.text) ?? .null,
            .identifier(device.id)
        )
    }

    /// Binds a login to the device that it listed last, so that both end together.
    func bind(_ session: Session, to device: Device) throws(Problem) {
        try put(
            "UPDATE tokens SET device_id = $1 WHERE hash = $2",
            .identifier(device.id),
            .blob(session.grant.tokenHash)
        )
    }

    /// Revokes a device and ends its logins.
    ///
    /// Its row stays, so that its identifier is never reused, and it can be told why it is refused.
    func revoke(_ device: Device, at now: ServiceTime) throws(Problem) {
        try put(
            "DELETE FROM tokens WHERE user_id = $1 AND device_id = $2",
            .identifier(device.userID),
            .identifier(device.id)
        )
        try put("UPDATE devices SET revoked_at = $1 WHERE device_id = $2", .time(now), .identifier(device.id))
        try enter(.deviceRevoked(device: device.id, user: device.userID), of: device.userID)
    }
}
