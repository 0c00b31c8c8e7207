import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The head of the device's trail (F-107-10): which chain is written, where it stands, and what pins it.
///
/// One row, authenticated by a key from the trail's own device secret, so that it is written while the vault is locked.
struct TrailRow: Equatable {
    /// Who writes a chain: what its records say, and the key that signs its export.
    struct Writer: Equatable {
        /// The account; nil without one.
        var user: Identifier?
        var device: Identifier
        var key: ItemName
        /// SubjectPublicKeyInfo in DER.
        var publicKey: [UInt8]
    }

    /// One chain of records, stored under consecutive numbers.
    struct Epoch: Equatable {
        let vault: Identifier
        let writer: Writer
        let id: Identifier
        /// The number of the record whose `seq` is 0.
        let start: Int64
        /// The `seq` of the next record.
        var next: UInt64 = 0
        /// The hash of the last record, or the genesis.
        var head: [UInt8]
        /// How many records, from `seq` 0 on, the log of `TrailRow.log` has acknowledged.
        var delivered: UInt64 = 0
        /// Why no more of it is delivered; nil while it is.
        var ending: Ending?
    }

    /// Why the account's service gets no more of a chain.
    enum Ending: UInt8 {
        /// The log has other records in its place: the owner put the device's whole state back.
        case forked = 1
        /// The service refuses the next records, whatever it is sent.
        case refused = 2
        /// The key that would sign for it is gone.
        case keyless = 3
    }

    /// Failures that nothing limits, of one kind, each within ten minutes of the one before (A46).
    struct Run: Equatable {
        let kind: AuditEventKind
        /// Those that no record tells of yet.
        var count: UInt32 = 0
        /// When the first of those happened.
        var first: ClockReading
        var last: ClockReading
        let attemptCount: UInt32
    }

    /// The most records of a chain.
    static let maximumCount: UInt64 = 10_000
    /// The most chains before the current one; whoever can make a device begin more can delete them all.
    static let maximumFormers = 255

    /// The secret that authenticates this row and seals the records.
    let secret: ItemName
    /// The origin of the account's log that the delivered positions belong to; nil before the service named one.
    var log: String?
    var epoch: Epoch
    /// The chains before this one, oldest first, as far as they stand: the last one, and each that the log has not whole.
    var formers: [Epoch] = []
    /// The attempt ledger's position when this row was written; nil without a ledger (A43).
    var position: LedgerPosition?
    /// When the attempt began that is still open, and how many failures preceded it.
    var attempt: OpenAttempt?
    var runs: [Run] = []

    struct OpenAttempt: Equatable {
        let began: Milliseconds
        let attemptCount: UInt32
    }

    /// The chain before the current one.
    var former: Epoch? { formers.last }

    /// All chains that are kept, oldest first.
    var chains: [Epoch] { formers + [epoch] }

    /// The items that no clean-up may delete.
    ///
    /// The key of a former writer goes once nothing is left that it has to sign.
    var items: [ItemName] { [secret, epoch.writer.key] + formers.filter { $0.undelivered > 0 }.map(\.writer.key) }

    /// How many records wait for the account's service.
    var undelivered: UInt64 { chains.reduce(0) { $0 + $1.undelivered } }

    /// Changes a chain that is kept.
    ///
    /// - Returns: whether it is.
    mutating func revise(_ id: Identifier, _ change: (inout Epoch) -> Void) -> Bool {
        if epoch.id == id {
            change(&epoch)
        } else if let index = formers.firstIndex(where: { $0.id == id }) {
            change(&formers[index])
        } else {
            return false
        }
        return true
    }
}

extension TrailRow.Epoch {
    /// How many records wait for the account's service; those that it will never take count no more.
    var undelivered: UInt64 {
        guard writer.user != nil else { return 0 }
        switch ending {
        case nil, .refused?: return next - delivered
        case .forked?, .keyless?: return 0
        }
    }

    /// Whether another chain may begin without keeping this one.
    var mayGo: Bool { writer.user == nil || delivered == next }
}

extension [TrailRow.Epoch] {
    /// The chains to keep when another begins behind them: the last one, and each that the account's log has not whole.
    var keptBefore: [TrailRow.Epoch] {
        let kept = dropLast().filter { !$0.mayGo } + suffix(1)
        return kept.suffix(TrailRow.maximumFormers)
    }
}

extension TrailRow {
    /// Whether this is what a reset leaves: its own record alone, before there is another vault.
    var isOfReset: Bool { formers.isEmpty && position == nil && epoch.next == 2 }
}

// The stored form; `docs/formats.md` specifies the bytes.
extension TrailRow {
    static let format: UInt8 = 1
    private static let maximumRuns = 8

    var bytes: [UInt8] {
        get throws(CryptoError) {
            var writer = ByteWriter()
            writer.writeUInt8(Self.format)
            try writer.writeString(secret.text, maximum: 100)
            try writer.writeOptional(log) { (writer, log) throws(CryptoError) in
                try writer.writeString(log, maximum: TrailLog.maximumOrigin)
            }
            try epoch.write(to: &writer)
            guard formers.count <= Self.maximumFormers else { throw .parametersOutOfRange }
            writer.writeUInt8(UInt8(truncatingIfNeeded: formers.count))
            for former in formers { try former.write(to: &writer) }
            writer.writeOptional(position) { $0.writeFixed($1.bytes) }
            writer.writeOptional(attempt) { writer, attempt in
                writer.writeInt64(attempt.began.count)
                writer.writeUInt32(attempt.attemptCount)
            }
            writer.writeUInt8(UInt8(truncatingIfNeeded: runs.count))
            for run in runs {
                writer.writeUInt8(run.kind.rawValue)
                writer.writeUInt32(run.count)
                writer.writeClock(run.first)
                writer.writeClock(run.last)
                writer.writeUInt32(run.attemptCount)
            }
            return writer.bytes
        }
    }

    init(parsing bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard try reader.readUInt8() == Self.format else { throw .malformed }
        secret = try reader.readItemName()
        log = try reader.readOptional { (reader) throws(CryptoError) in
            try reader.readString(maximum: TrailLog.maximumOrigin)
        }
        epoch = try Epoch(from: &reader)
        for _ in 0..<(try reader.readUInt8()) { formers.append(try Epoch(from: &reader)) }
        position = try reader.readOptional { (reader) throws(CryptoError) in try LedgerPosition(from: &reader) }
        attempt = try reader.readOptional { (reader) throws(CryptoError) in
            OpenAttempt(began: Milliseconds(try reader.readInt64()), attemptCount: try reader.readUInt32())
        }
        let count = try reader.readUInt8()
        guard count <= Self.maximumRuns else { throw .malformed }
        for _ in 0..<count {
            guard let kind = AuditEventKind(rawValue: try reader.readUInt8()) else { throw .malformed }
            let unwritten = try reader.readUInt32()
            let (first, last) = (try reader.readClock(), try reader.readClock())
            let attempts = try reader.readUInt32()
            runs.append(Run(kind: kind, count: unwritten, first: first, last: last, attemptCount: attempts))
        }
        try reader.finish()
    }

    /// The name of the secret in a row's body that nothing has verified yet.
    static func secret(in body: [UInt8]) -> ItemName? {
        var reader = ByteReader(body)
        guard (try? reader.readUInt8()) == Self.format else { return nil }
        return try? reader.readItemName()
    }
}

extension TrailRow.Epoch {
    private static let maximumKey = 256

    fileprivate func write(to writer: inout ByteWriter) throws(CryptoError) {
        writer.writeFixed(vault.bytes)
        writer.writeOptional(self.writer.user) { $0.writeFixed($1.bytes) }
        writer.writeFixed(self.writer.device.bytes)
        try writer.writeString(self.writer.key.text, maximum: 100)
        try writer.writeBytes(self.writer.publicKey, maximum: Self.maximumKey)
        writer.writeFixed(id.bytes)
        writer.writeInt64(start)
        writer.writeUInt64(next)
        writer.writeFixed(head)
        writer.writeUInt64(delivered)
        writer.writeUInt8(ending?.rawValue ?? 0)
    }

    fileprivate init(from reader: inout ByteReader) throws(CryptoError) {
        vault = try reader.readIdentifier()
        let user = try reader.readOptional { (reader) throws(CryptoError) in try reader.readIdentifier() }
        writer = TrailRow.Writer(
            user: user,
            device: try reader.readIdentifier(),
            key: try reader.readItemName(),
            publicKey: try reader.readBytes(maximum: Self.maximumKey)
        )
        id = try reader.readIdentifier()
        start = try reader.readInt64()
        next = try reader.readUInt64()
        head = try reader.readFixed(SHA256.byteCount)
        delivered = try reader.readUInt64()
        let ending = try reader.readUInt8()
        self.ending = TrailRow.Ending(rawValue: ending)
        guard 0..<1 << 62 ~= start, delivered <= next, next <= TrailRow.maximumCount,
            ending == 0 || self.ending != nil
        else { throw .malformed }
    }
}
