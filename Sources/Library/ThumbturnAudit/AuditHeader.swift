import ThumbturnJSON

/// The header of an export, whose variables are the origin of what is exported, and how much of it there is.
enum AuditHeader {
    static let format = "thumbturn.audit.export"
    static let version: UInt64 = 1
    /// The origin of a device's export; a service's has the log's name.
    static let device = "device"

    static func json(origin: String = device, count: UInt64) -> JSON {
        [
            "format": .string(format), "from": .number(0), "origin": .string(origin), "to": .number(count),
            "version": .number(version),
        ]
    }
}
