package import ThumbturnRules

/// One event with its place in a chain: the JSON of seed 002 §4.3, with `v`, `epoch` and `seq` (F-107-10, P-107-09).
///
/// A record has one form, canonical JSON (RFC 8785) with a closed set of members; `docs/audit-format.md` has them all.
package struct AuditRecord: Equatable, Sendable {
    /// The most bytes of `line`.
    package static let maximumByteCount = 4_096

    /// What a record says beyond its kind, its place and its time.
    package typealias Payload = AuditPayload

    /// A UUID of version 7.
    package let eventId: Identifier
    /// What happened.
    package let kind: AuditEventKind
    /// The account, 1 to 64 characters as of a reason; nil without one.
    package let userId: String?
    /// The device that wrote the record.
    package let deviceId: Identifier
    /// The device's wall clock, in milliseconds since 1970.
    ///
    /// It may have been set; the order is that of `seq` (A47).
    package let at: Milliseconds
    /// The chain.
    package let epoch: Identifier
    /// The place in the chain, from 0, without gaps.
    package let seq: UInt64
    /// What else is said.
    package let payload: Payload
    /// The hash of the record before, or the chain's genesis where `seq` is 0; 32 bytes.
    package let previous: [UInt8]
    /// SHA-256(`thumbturn.audit.event.v1\n` ‖ body), 32 bytes.
    package let hash: [UInt8]
    /// The canonical record with its hash: what is kept and exported, without a newline.
    package let line: [UInt8]
    /// Where the hash stands in `line`, with its name.
    private let hashed: Range<Int>

    /// The canonical record without its hash: what is hashed.
    package var body: [UInt8] {
        var body = line
        body.removeSubrange(hashed)
        return body
    }

    /// Makes a record, and reads it back: nothing is written that a reader would refuse.
    ///
    /// Times are clamped to years of four digits.
    ///
    /// - Throws: `.malformed` for values that have no form.
    package init(
        eventId: Identifier,
        kind: AuditEventKind,
        userId: String?,
        deviceId: Identifier,
        at: Milliseconds,
        epoch: Identifier,
        seq: UInt64,
        payload: Payload,
        previous: [UInt8]
    ) throws(AuditError) {
        let form = AuditForm(
            eventId: eventId,
            kind: kind,
            userId: userId,
            deviceId: deviceId,
            at: at,
            epoch: epoch,
            seq: seq,
            payload: payload,
            previous: previous
        )
        try self.init(reading: form.written())
    }

    /// Reads a record strictly: writing what was read would give the same bytes.
    ///
    /// - Parameter line: without a newline.
    /// - Throws: `.malformed`, or `.changed` when all but the hash is right.
    package init(reading line: [UInt8]) throws(AuditError) {
        guard line.count <= Self.maximumByteCount else { throw .malformed }
        let (form, claimed, hashed) = try AuditForm.read(line)
        guard AuditForm.hash(of: line, without: hashed) == claimed else { throw .changed }
        (hash, self.line, self.hashed) = (claimed, line, hashed)
        eventId = form.eventId
        kind = form.kind
        userId = form.userId
        deviceId = form.deviceId
        at = form.at
        epoch = form.epoch
        seq = form.seq
        payload = form.payload
        previous = form.previous
    }
}
