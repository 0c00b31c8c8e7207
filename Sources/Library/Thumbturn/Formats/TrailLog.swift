import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// What the device knows of the log that its account's service keeps (F-107-10): its name and keys, what it acknowledged
/// last, and where it failed.
///
/// One row, authenticated by the trail's key. It is read only where something is delivered or shown: how far each chain
/// was delivered is in the trail's own row.
struct TrailLog: Equatable {
    /// What delivery waits for until a login has proved an answer again.
    enum Wait: UInt8 {
        /// The service keeps another log than this one.
        case otherLog = 1
        /// The service does not know the device.
        case unknownDevice = 2
    }

    /// How the service failed.
    enum Failing: UInt8 {
        /// Two heads that it signed are not of one log.
        case inconsistent = 1
        /// It knows fewer records than it acknowledged.
        case forgetful = 2
    }

    /// What the service signed, and what it answered later: both can't be true.
    struct Evidence: Equatable {
        let failing: Failing
        /// The log that it is about.
        let origin: String
        /// When the answer came.
        let at: Milliseconds
        /// The last acknowledgement before it, as JSON; nil before the first.
        let receipt: [UInt8]?
        let answer: [UInt8]
    }

    static let maximumOrigin = AuditCheckpoint.maximumOriginByteCount
    static let maximumReceipt = AuditReceipt.maximumByteCount
    static let maximumAnswer = 32_768
    private static let maximumEvidence = 4
    private static let maximumKey = 256
    private static let maximumCode = 64
    private static let format: UInt8 = 1

    /// What the log calls itself in what it signs.
    let origin: String
    /// The keys that count, without what made them count.
    private(set) var keys: [AuditKey] = []
    /// The last acknowledgement, as JSON: in it the head that later ones must be consistent with.
    private(set) var receipt: [UInt8]?
    /// When it came.
    private(set) var deliveredAt: Milliseconds?
    var wait: Wait?
    /// The code of the last refusal.
    var refusal: String?
    /// At most four, of former logs too.
    private(set) var evidence: [Evidence] = []

    /// Begins with a log that nothing was delivered to.
    init(origin: String, beside former: TrailLog?) {
        self.origin = origin
        evidence = former?.evidence ?? []
    }

    mutating func trust(_ keys: [AuditKey]) {
        self.keys = keys.compactMap { try? AuditKey(publicKey: $0.publicKey, from: $0.from) }
    }

    mutating func note(receipt: [UInt8], at: Milliseconds) {
        (self.receipt, deliveredAt) = (receipt, at)
        (wait, refusal) = (nil, nil)
    }

    mutating func note(_ failing: Failing, answer: [UInt8], at: Milliseconds) {
        let answer = Array(answer.prefix(Self.maximumAnswer))
        evidence.append(Evidence(failing: failing, origin: origin, at: at, receipt: receipt, answer: answer))
        evidence = evidence.suffix(Self.maximumEvidence)
    }
}

// The stored form; `docs/formats.md` specifies the bytes.
extension TrailLog {
    var bytes: [UInt8] {
        get throws(CryptoError) {
            var writer = ByteWriter()
            writer.writeUInt8(Self.format)
            try writer.writeString(origin, maximum: Self.maximumOrigin)
            guard keys.count <= AuditKeys.maximumCount else { throw .parametersOutOfRange }
            writer.writeUInt16(UInt16(truncatingIfNeeded: keys.count))
            for key in keys {
                try writer.writeBytes(key.publicKey, maximum: Self.maximumKey)
                writer.writeUInt64(key.from)
            }
            try writer.writeOptional(receipt) { (writer, receipt) throws(CryptoError) in
                try writer.writeBytes(receipt, maximum: Self.maximumReceipt)
            }
            writer.writeOptional(deliveredAt) { $0.writeInt64($1.count) }
            writer.writeUInt8(wait?.rawValue ?? 0)
            try writer.writeOptional(refusal) { (writer, code) throws(CryptoError) in
                try writer.writeString(code, maximum: Self.maximumCode)
            }
            writer.writeUInt8(UInt8(truncatingIfNeeded: evidence.count))
            for piece in evidence { try piece.write(to: &writer) }
            return writer.bytes
        }
    }

    init(parsing bytes: [UInt8]) throws(CryptoError) {
        var reader = ByteReader(bytes)
        guard try reader.readUInt8() == Self.format else { throw .malformed }
        origin = try reader.readString(maximum: Self.maximumOrigin)
        keys = []
        for _ in 0..<(try reader.readUInt16()) {
            let publicKey = try reader.readBytes(maximum: Self.maximumKey)
            let from = try reader.readUInt64()
            do throws(AuditError) { keys.append(try AuditKey(publicKey: publicKey, from: from)) } catch {
                throw .malformed
            }
        }
        receipt = try reader.readOptional { (reader) throws(CryptoError) in
            try reader.readBytes(maximum: Self.maximumReceipt)
        }
        deliveredAt = try reader.readOptional { (reader) throws(CryptoError) in
            Milliseconds(try reader.readInt64())
        }
        let wait = try reader.readUInt8()
        self.wait = Wait(rawValue: wait)
        refusal = try reader.readOptional { (reader) throws(CryptoError) in
            try reader.readString(maximum: Self.maximumCode)
        }
        for _ in 0..<(try reader.readUInt8()) { evidence.append(try Evidence(from: &reader)) }
        guard keys.count <= AuditKeys.maximumCount, evidence.count <= Self.maximumEvidence,
            wait == 0 || self.wait != nil
        else { throw .malformed }
        try reader.finish()
    }
}

extension TrailLog.Evidence {
    fileprivate func write(to writer: inout ByteWriter) throws(CryptoError) {
        writer.writeUInt8(failing.rawValue)
        try writer.writeString(origin, maximum: TrailLog.maximumOrigin)
        writer.writeInt64(at.count)
        try writer.writeOptional(receipt) { (writer, receipt) throws(CryptoError) in
            try writer.writeBytes(receipt, maximum: TrailLog.maximumReceipt)
        }
        try writer.writeBytes(answer, maximum: TrailLog.maximumAnswer)
    }

    fileprivate init(from reader: inout ByteReader) throws(CryptoError) {
        guard let failing = TrailLog.Failing(rawValue: try reader.readUInt8()) else { throw .malformed }
        self.failing = failing
        origin = try reader.readString(maximum: TrailLog.maximumOrigin)
        at = Milliseconds(try reader.readInt64())
        receipt = try reader.readOptional { (reader) throws(CryptoError) in
            try reader.readBytes(maximum: TrailLog.maximumReceipt)
        }
        answer = try reader.readBytes(maximum: TrailLog.maximumAnswer)
    }
}
