import ThumbturnRules

/// What one device makes its log write on a day: so much, and no more (429).
struct DeviceQuota: Equatable, Sendable {
    /// The most records of a day.
    static let mostRecords = 20_000
    /// The most entries `CHAIN_FORK` and `REJECTED` of a day.
    static let mostEntries: Int64 = 8

    /// Days since 1970.
    private(set) var day: Int64
    private(set) var records: Int
    private(set) var entries: Int64
    /// Whether the device has a row.
    private var isStored: Bool

    /// Begins another day.
    mutating func follow(_ now: ServiceTime) {
        let today = Self.day(of: now)
        // A clock that is set back gives no new day.
        guard today > day else { return }
        (day, records, entries) = (today, 0, 0)
    }

    /// Returns when the next day begins.
    func wait(at now: ServiceTime) -> Milliseconds {
        max(ServiceTime((day + 1) * Self.length) - now, .seconds(1))
    }

    func takes(records count: Int) -> Bool { records + count <= Self.mostRecords }

    var takesEntry: Bool { entries < Self.mostEntries }

    mutating func add(records count: Int) { records += count }

    private static let length: Int64 = 86_400_000

    private static func day(of time: ServiceTime) -> Int64 { time.count / length }
}

extension DeviceQuota {
    /// Counts what a log has of a device today.
    ///
    /// Records are counted from the uploads, newest first, so nothing more is written for each.
    init(of device: Identifier, at now: ServiceTime, in log: Int64, _ transaction: any StoreTransaction)
        throws(StoreError)
    {
        day = Self.day(of: now)
        let row = try transaction.row(
            "SELECT day, entries FROM quotas WHERE log = $1 AND device_id = $2",
            .integer(log),
            .blob(device.bytes)
        )
        (isStored, entries, records) = (row != nil, 0, 0)
        if let row {
            let stored = try row.integer(0)
            if stored >= day { (day, entries) = (stored, try row.integer(1)) }
        }
        var (limit, isDone) = (Int64(16), false)
        while !isDone {
            let uploads = try transaction.rows(
                """
                SELECT record_count, ts FROM uploads WHERE log = $1 AND device_id = $2 ORDER BY first_idx DESC LIMIT $3
                """,
                .integer(log),
                .blob(device.bytes),
                .integer(limit)
            )
            records = 0
            isDone = uploads.count < Int(limit)
            for upload in uploads {
                guard try upload.integer(1) >= day * Self.length else {
                    isDone = true
                    break
                }
                records += Int(try upload.integer(0))
            }
            if records >= Self.mostRecords { isDone = true }
            limit *= 8
        }
    }

    /// Counts an entry, durably.
    mutating func addEntry(
        about device: Identifier,
        in log: Int64,
        _ transaction: any StoreTransaction
    ) throws(StoreError) {
        entries += 1
        let values: [StoreValue] = [.integer(day), .integer(entries), .integer(log), .blob(device.bytes)]
        if isStored {
            let update: StaticString = "UPDATE quotas SET day = $1, entries = $2 WHERE log = $3 AND device_id = $4"
            try transaction.put(update, with: values)
        } else {
            let insert: StaticString = "INSERT INTO quotas (day, entries, log, device_id) VALUES ($1, $2, $3, $4)"
            try transaction.put(insert, with: values)
        }
        isStored = true
    }
}
