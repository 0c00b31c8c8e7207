import ThumbturnJSON
package import ThumbturnRules

/// What a record says beyond its kind, its place and its time.
package struct AuditPayload: Equatable, Sendable {
    /// Failures that this record alone tells of: those that followed within ten minutes of the one before (A46).
    package struct Run: Equatable, Sendable {
        /// How many there were, at least 2.
        package var count: UInt32
        /// When the last of them was.
        package var until: Milliseconds

        /// Creates a run.
        package init(count: UInt32, until: Milliseconds) { (self.count, self.until) = (count, until) }
    }

    /// The chain before this one, as far as it is believed.
    package struct Former: Equatable, Sendable {
        /// The last record of a chain.
        package struct Last: Equatable, Sendable {
            /// Its place.
            package var seq: UInt64
            /// Its hash, 32 bytes.
            package var hash: [UInt8]

            /// Creates the name of a last record.
            package init(seq: UInt64, hash: [UInt8]) { (self.seq, self.hash) = (seq, hash) }
        }

        /// Its epoch.
        package var epoch: Identifier
        /// Where it ended; nil where that can't be believed.
        package var last: Last?

        /// Creates the name of a chain.
        package init(epoch: Identifier, last: Last?) { (self.epoch, self.last) = (epoch, last) }
    }

    /// The kind of sensor.
    package var biometryType: BiometricCapability.BiometryType?
    /// Failures in a row before this event.
    package var attemptCount: UInt32
    /// How long the unlock took; clamped to 0 to 2^53 − 1 milliseconds.
    package var unlockDuration: Milliseconds?
    /// Why: a text that `AuditReason` accepts.
    package var reason: String?
    /// A run of failures in one record.
    package var run: Run?
    /// What a `TRAIL_BEGUN` says of the chain before it.
    package var former: Former?

    /// Creates a payload.
    package init(
        biometryType: BiometricCapability.BiometryType? = nil,
        attemptCount: UInt32 = 0,
        unlockDuration: Milliseconds? = nil,
        reason: String? = nil,
        run: Run? = nil,
        former: Former? = nil
    ) {
        self.biometryType = biometryType
        self.attemptCount = attemptCount
        self.unlockDuration = unlockDuration
        self.reason = reason
        self.run = run
        self.former = former
    }
}

extension AuditPayload {
    var json: JSON {
        var members: [(String, JSON)] = [("attemptCount", .number(UInt64(attemptCount)))]
        if let biometryType { members.append(("biometryType", .string(biometryType.name))) }
        if let run { members.append(("count", .number(UInt64(run.count)))) }
        if let former {
            members.append(("formerEpoch", .string(former.epoch.text)))
            if let last = former.last {
                members.append(("formerHash", .hexadecimal(last.hash)))
                members.append(("formerSeq", .number(last.seq)))
            }
        }
        if let reason { members.append(("reason", .string(reason))) }
        if let unlockDuration {
            let count = min(max(unlockDuration.count, 0), JSON.wholeNumbers.upperBound)
            members.append(("unlockDurationMs", .integer(count)))
        }
        if let run { members.append(("until", .string(run.until.utcText))) }
        return .object(members)
    }

    /// Reads a payload.
    init(_ scanner: inout AuditScanner) throws(AuditError) {
        try scanner.skip("{\"attemptCount\":")
        attemptCount = try scanner.count(from: 0)
        if scanner.take(",\"biometryType\":\"") { biometryType = try scanner.biometryType() }
        let count: UInt32? = scanner.take(",\"count\":") ? try scanner.count(from: 2) : nil
        if scanner.take(",\"formerEpoch\":\"") {
            former = Former(epoch: try scanner.identifier(), last: nil)
            try scanner.skip("\"")
            if scanner.take(",\"formerHash\":\"") {
                let hash = try scanner.digest()
                try scanner.skip("\",\"formerSeq\":")
                former?.last = Former.Last(seq: try scanner.number(), hash: hash)
            }
        }
        if scanner.take(",\"reason\":\"") {
            reason = try scanner.word()
            try scanner.skip("\"")
        }
        if scanner.take(",\"unlockDurationMs\":") { unlockDuration = Milliseconds(Int64(try scanner.number())) }
        if let count {
            try scanner.skip(",\"until\":\"")
            run = Run(count: count, until: try scanner.time())
            try scanner.skip("\"")
        }
        try scanner.skip("}")
    }
}

extension BiometricCapability.BiometryType {
    /// The name as it appears in the record, which is seed 002's.
    fileprivate var name: String {
        switch self {
        case .none: "NONE"
        case .touchID: "TOUCH_ID"
        case .faceID: "FACE_ID"
        }
    }
}

extension AuditScanner {
    /// A sensor's name with the quotation mark behind it.
    fileprivate mutating func biometryType() throws(AuditError) -> BiometricCapability.BiometryType {
        if take("NONE\"") { return .none }
        if take("TOUCH_ID\"") { return .touchID }
        try skip("FACE_ID\"")
        return .faceID
    }

    fileprivate mutating func count(from minimum: UInt32) throws(AuditError) -> UInt32 {
        guard let count = UInt32(exactly: try number()), count >= minimum else { throw .malformed }
        return count
    }
}
