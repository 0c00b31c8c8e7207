import ThumbturnAudit
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

// The device's trail, for its owner and for an auditor (F-107-10).
extension Vault {
    /// Returns events of the current chain in order; needs no secret.
    ///
    /// Failures that no record tells of yet come last. Where a record is missing or damaged, it ends.
    ///
    /// - Parameters:
    ///   - seq: the last event that the caller knows; nil for the first.
    ///   - limit: the most events.
    /// - Throws: why vault or device could not be read.
    public func trail(after seq: UInt64? = nil, limit: Int = 100) async throws(VaultError) -> [AuditEntry] {
        try await turn { (_) async throws(VaultError) -> [AuditEntry] in
            guard !trail.isUnknown else { throw VaultError(.storageUnavailable, "the trail's key") }
            guard let row = trail.row else { return [] }
            var entries: [AuditEntry] = []
            let first = seq.map { $0 &+ 1 } ?? 0
            try trail.forEachRecord(of: row.epoch, from: first) { (record) throws(VaultError) in
                guard entries.count < limit else { return false }
                entries.append(AuditEntry(record))
                return true
            }
            let runs = row.runs.filter { $0.count > 0 }.map(AuditEntry.init)
            return entries + runs.prefix(max(limit - entries.count, 0))
        }
    }

    /// Writes a chain as one signed file, which anyone can verify (design section 9; `docs/audit-format.md`).
    ///
    /// Failures that were only counted become records first. A chain with a missing or damaged record is exported up to
    /// there, and the next begins.
    ///
    /// - Parameters:
    ///   - authorization: the strong factor, entered just now.
    ///   - former: whether to export the chain before the current one, which is kept whole.
    ///   - write: receives the file's bytes in order.
    /// - Throws: `.authorizationExpired`, `.locked`; `.keyMissing` when there is no such chain, or its key is gone; why
    ///   storage or device failed, or what `write` throws.
    @discardableResult
    public func exportTrail(
        _ authorization: consuming StrongAuthorization,
        former: Bool = false,
        to write: @Sendable ([UInt8]) throws -> Void
    ) async throws -> TrailExport {
        try await lendingTurn { (turn) async throws -> TrailExport in
            _ = try openSession(authorization, .exportOnly, in: turn)
            if !former {
                var entry = TrailEntry()
                entry.endsRuns = true
                _ = try trail.transaction(telling: entry) {}
            }
            guard let epoch = former ? trail.row?.former : trail.row?.epoch else { throw VaultError(.keyMissing) }
            let standing = try trail.standing(epoch)
            let isWhole = standing.next == epoch.next
            if !isWhole, !former { try await beginTrail(.damaged, in: turn) }
            guard standing.next > 0 else { throw VaultError(.vaultDamaged, "no record of the trail") }
            try await export(standing, to: write)
            return TrailExport(count: standing.next, isWhole: isWhole)
        }
    }

    private func export(_ epoch: TrailRow.Epoch, to write: ([UInt8]) throws -> Void) async throws {
        let writer = epoch.writer
        var export = try AuditExport(
            deviceId: writer.device,
            epoch: epoch.id,
            publicKey: writer.publicKey,
            count: epoch.next
        )
        try write(try export.beginning())
        var failure: (any Error)?
        try trail.forEachRecord(of: epoch) { (record) throws(VaultError) in
            do { try write(try export.line(of: record)) } catch { failure = error }
            return failure == nil
        }
        if let failure { throw failure }
        let head = try export.head(at: device.clock().wall, nonce: RandomBytes.make(16))
        try write(try export.end(head, signature: try await device.sign(head.message(), by: writer.key)))
    }

    /// Whether the chain before the current one is kept, as far as it stands.
    package var hasFormerTrail: Bool { (trail.row?.former?.next ?? 0) > 0 }

    /// Tells events that did not happen, for measurements of long trails: in one transaction, or each in its own.
    package func insecurelyTell(
        _ kind: AuditEventKind,
        times count: Int,
        together: Bool
    ) async throws(VaultError) {
        try await turn { (turn) async throws(VaultError) in
            let events = (0..<count).map { _ in event(kind) }
            if together { return try await tell(events, in: turn) }
            for event in events { try await tell([event], in: turn) }
        }
    }

    /// The state of the trail as last read; nil where there is none, or its key is gone.
    package var trailSummary: TrailSummary? {
        guard let row = trail.row else { return nil }
        let first = tolerating { () throws(VaultError) in try trail.record(0, of: row.epoch) } ?? nil
        let digest = SHA256.digest(row.epoch.writer.publicKey)
        return TrailSummary(
            count: row.epoch.next,
            beganBecause: first?.payload.reason,
            fingerprint: String(decoding: TextCode.hexadecimal.encode(digest), as: UTF8.self),
            delivery: trailDelivery
        )
    }
}
