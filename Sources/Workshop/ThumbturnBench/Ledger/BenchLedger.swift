import Glibc
import Synchronization
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnRules

/// `thumbturnd serve` and devices that send it events; each upload is signed before the clock runs.
final class BenchLedger {
    /// What signs the log.
    enum Signing: Hashable {
        case file
        /// A key of ten signatures a second.
        case slow

        /// As many as wait for an answer at a time: of more, the service refuses some when all ask anew at once.
        var devices: Int { self == .file ? 256 : 1_000 }
    }

    /// The service's name, which is the log's.
    static let origin = "https://ledger.example"
    /// How long the devices send.
    private static let seconds = 2.0

    let service: ServedService
    let devices: [BenchDevice]
    /// The number of records of an upload.
    private let records: Int
    private let clients: LoopbackClients
    private let database: RawSQLite
    private let bare: BareUploads
    /// What was signed last, for the bare sequence too.
    private var uploads: [SignedUpload] = []
    /// The uploads of a second, and of a commit, that were reached last.
    private var reached = (rate: 1_000.0, batch: 16)
    private var isWarm = false

    /// - Parameters:
    ///   - service: was started with this origin.
    ///   - file: the bare sequence's.
    init(_ service: ServedService, devices count: Int, records: Int, bareIn file: String) throws {
        (self.service, self.records) = (service, records)
        devices = try (0..<count).map { try BenchDevice($0) }
        clients = LoopbackClients(count, of: service.port)
        database = try RawSQLite(service.file)
        bare = try BareUploads(devices, in: file)
        try list()
    }

    /// Lists the devices, each of an account of its own.
    private func list() throws {
        let insert = try database.prepare(
            """
            INSERT INTO devices (device_id, user_id, public_key, algorithm, created_at, contact_key)
            VALUES (?, ?, ?, 'ecdsa-p256-sha256', 0, zeroblob(72))
            """
        )
        try database.run("BEGIN IMMEDIATE")
        for device in devices {
            try insert.run(.bytes(device.id.bytes), .bytes(device.user.bytes), .bytes(device.publicKey))
        }
        try database.run("COMMIT")
    }

    /// The number of leaves.
    var size: Int { get throws { try database.number("SELECT size FROM logs") } }

    /// Signs uploads until each device has its share of so many, and some more.
    func sign(_ count: Int) throws { try sign(each: count / devices.count * 5 / 4 + 4, records: records) }

    private func sign(each share: Int, records: Int) throws {
        let missing = devices.indices.map { max(0, share - clients.left(of: $0)) }
        let time = Milliseconds(Int64(time(nil)) * 1_000)
        let signed = Signed(devices)
        try onThreads(coreCount) { thread in
            for place in stride(from: thread, to: missing.count, by: coreCount) {
                try signed.sign(missing[place], of: place, records: records, at: time)
            }
        }
        let made = signed.all
        for (place, own) in made.enumerated() { clients.add(own.map(\.request), to: place) }
        // In the order in which they come: a device's next one after those of the others.
        uploads = (0..<share).flatMap { turn in made.compactMap { turn < $0.count ? $0[turn] : nil } }
    }

    /// Sends uploads without a pause.
    ///
    /// - Returns: the seconds for an event.
    func send() throws -> Double {
        if !isWarm {
            isWarm = true
            _ = try send()
        }
        let count = max(2 * devices.count, Int(reached.rate * Self.seconds))
        try sign(count)
        let before = try size
        let seconds = try clients.send(count)
        let commits = try database.number("SELECT count(DISTINCT ts) FROM uploads WHERE first_idx >= \(before)")
        reached = (Double(count) / seconds, max(1, count / max(1, commits)))
        return seconds / Double(count * records)
    }

    /// Sends so many uploads.
    func send(uploads count: Int) throws {
        try sign(count)
        _ = try clients.send(count)
    }

    /// Takes about as many uploads barely, at the batch that was reached.
    ///
    /// - Returns: the seconds for an event.
    func takeBarely() throws -> Double {
        try bare.take(uploads, batch: reached.batch) / Double(uploads.count * records)
    }

    /// Sends half as many uploads a second as were reached.
    ///
    /// - Returns: the seconds that 99 of 100 answers take at most, from when each upload was due.
    func longestWait() throws -> Double {
        if !isWarm { _ = try send() }
        let rate = reached.rate / 2
        let count = Int(rate * Self.seconds * 2)
        try sign(count)
        let waits = try clients.send(perSecond: rate) { $0 < count }.sorted()
        return waits[waits.count * 99 / 100]
    }

    /// Sends so many uploads a second for as long as it may.
    func send(perSecond rate: Double, while goesOn: () -> Bool) throws {
        _ = try clients.send(perSecond: rate) { _ in goesOn() }
    }

    /// Brings the log to this size, or somewhat above, by uploads of up to 250 records.
    func grow(to size: Int) throws {
        while case let missing = size - (try self.size), missing > 0 {
            try sign(each: 1, records: min(250, max(1, missing / devices.count)))
            _ = try clients.send(devices.count, atOnce: 16)
        }
    }

    /// Asks for proofs of leaves, one after the other.
    ///
    /// - Returns: the seconds for a proof.
    func prove() throws -> Double {
        let (size, count) = (try size, 256)
        let others = LoopbackClients(32, of: service.port, from: 1 << 20)
        for number in 0..<count {
            let path = "/v1/audit/proof?index=\(Int.random(in: 0..<size))&size=\(size)"
            others.add([LoopbackConnection.request("GET", path, [])], to: number % 32)
        }
        return try others.send(count, atOnce: 1) / Double(count)
    }
}

/// Uploads that several threads sign, each for devices of its own.
private final class Signed: @unchecked Sendable {
    // Safe to share: each device is one thread's, and the mutex guards what was made.
    private let devices: [BenchDevice]
    private let made: Mutex<[[SignedUpload]]>

    init(_ devices: [BenchDevice]) {
        self.devices = devices
        made = Mutex(Array(repeating: [], count: devices.count))
    }

    func sign(_ count: Int, of place: Int, records: Int, at time: Milliseconds) throws {
        let own = try (0..<count).map { _ in
            try devices[place].upload(records: records, to: BenchLedger.origin, at: time)
        }
        made.withLock { $0[place] = own }
    }

    var all: [[SignedUpload]] { made.withLock { $0 } }
}
