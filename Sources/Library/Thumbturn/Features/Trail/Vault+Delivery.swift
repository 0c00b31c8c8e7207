package import ThumbturnAudit
import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
package import ThumbturnRules

// Delivery of the trail to the log of the vault's account (F-107-10); needs no secret. The code that talks to the service
// is elsewhere: this file only says what is next, and keeps what came of it.
extension Vault {
    /// How many records wait for the account's service.
    package var undeliveredEvents: UInt64 { trail.row?.undelivered ?? 0 }

    /// Returns the oldest records that the log has not acknowledged, at most 256 of one chain.
    ///
    /// - Throws: why vault or device could not be read.
    package func nextUpload() async throws(VaultError) -> NextUpload {
        try await turn { (turn) async throws(VaultError) -> NextUpload in
            guard state.condition == .ready, let account = state.account, let row = trail.row, row.undelivered > 0
            else { return .none }
            guard let log = try trail.log(), row.isAbout(log.origin) else { return .halted(.logUnknown) }
            if let halt = log.halt { return .halted(halt) }
            // A hole is mended, and the next try finds none in its place.
            for _ in 0...TrailRow.maximumFormers + 1 {
                guard let row = trail.row else { break }
                let waiting = row.chains.first { chain in
                    chain.undelivered > 0 && chain.ending == nil && chain.writer.user == account.userID
                }
                guard let waiting else { return row.undelivered > 0 ? .halted(.refused) : .none }
                if let upload = try upload(of: waiting, to: log) { return .upload(upload) }
                try await mend(waiting, in: turn)
            }
            throw VaultError(.vaultDamaged, "the trail")
        }
    }

    /// Gathers the next records of a chain; nil where the next one is missing or damaged.
    private func upload(of chain: TrailRow.Epoch, to log: TrailLog) throws(VaultError) -> TrailUpload? {
        var body: [UInt8] = []
        var last: AuditRecord?
        try trail.forEachRecord(of: chain, from: chain.delivered) { (record) throws(VaultError) in
            let count = record.seq - chain.delivered
            guard count < UInt64(AuditUpload.maximumRecords),
                body.count + record.line.count < AuditUpload.maximumByteCount
            else { return false }
            body += record.line
            body.append(UInt8(ascii: "\n"))
            last = record
            return true
        }
        guard let last else { return nil }
        let upload: AuditUpload
        do throws(AuditError) {
            upload = try AuditUpload(
                deviceId: chain.writer.device,
                epoch: chain.id,
                firstSeq: chain.delivered,
                lastSeq: last.seq,
                headHash: last.hash,
                sentAt: device.clock().wall,
                nonce: RandomBytes.make(AuditUpload.nonceByteCount)
            )
        } catch {
            throw VaultError(.storageUnavailable, "an upload: \(error)")
        }
        return TrailUpload(
            upload: upload,
            body: body,
            last: last,
            key: chain.writer.key,
            origin: log.origin,
            keys: log.keys,
            head: log.head
        )
    }

    /// Ends a chain before its first record that is missing or damaged; where it is the current one, the next begins.
    private func mend(_ chain: TrailRow.Epoch, in turn: borrowing Turn) async throws(VaultError) {
        if chain.id == trail.row?.epoch.id { return try await beginTrail(.damaged, in: turn) }
        let standing = try trail.standing(chain)
        try trail.revise { row, _ in row.revise(chain.id) { $0 = standing } }
    }

    /// Notes that the log has the records of an upload; erases nothing.
    ///
    /// Another process may have begun with another log meanwhile, or the owner put an older copy back: then the records
    /// are delivered again, which does no harm.
    package func delivered(_ sent: TrailUpload, _ proved: ProvedReceipt) async throws(VaultError) {
        try await reviseTrail { (row, log) throws(VaultError) in
            guard row.isAbout(sent.origin), log?.origin == sent.origin else { return false }
            guard let chain = row.chains.first(where: { $0.id == sent.upload.epoch }),
                chain.next > sent.upload.lastSeq,
                try trail.record(sent.upload.lastSeq, of: chain)?.hash == sent.upload.headHash
            else { return false }
            log?.note(receipt: proved.receipt.json, at: device.clock().wall)
            row.log = sent.origin
            return row.revise(chain.id) { chain in
                chain.delivered = max(chain.delivered, sent.upload.lastSeq + 1)
                chain.ending = nil
            }
        }
    }

    /// Notes that the log has other records in the place of an upload's: its chain gets no more of them, and where it is
    /// the current one, another begins.
    package func forked(_ sent: TrailUpload) async throws(VaultError) {
        try await end(sent, as: .forked)
        // The next look begins the other chain.
        _ = try await turn { (_) async throws(VaultError) in }
    }

    /// Notes that the service refuses an upload: its chain waits until the owner or a login tries again.
    ///
    /// - Parameter code: the problem's code.
    package func refused(_ sent: TrailUpload, _ code: String) async throws(VaultError) {
        try await end(sent, as: .refused) { $0?.refusal = String(code.prefix(64)) }
    }

    /// Notes that the key is certainly gone that would sign an upload.
    package func lostKey(of sent: TrailUpload) async throws(VaultError) { try await end(sent, as: .keyless) }

    private func end(
        _ sent: TrailUpload,
        as ending: TrailRow.Ending,
        _ change: (inout TrailLog?) -> Void = { _ in }
    ) async throws(VaultError) {
        try await reviseTrail { (row, log) throws(VaultError) in
            guard row.isAbout(sent.origin) else { return false }
            change(&log)
            return row.revise(sent.upload.epoch) { $0.ending = ending }
        }
    }

    /// Notes that nothing more can be delivered before a login has proved an answer.
    package func awaitsLogin(_ halt: TrailHalt, after sent: TrailUpload) async throws(VaultError) {
        try await reviseTrail { (_, log) throws(VaultError) in
            guard log?.origin == sent.origin else { return false }
            log?.wait = halt == .otherLog ? .otherLog : .unknownDevice
            return true
        }
    }

    /// Keeps what the service signed and what it answered later, which can't both be true: nothing more is delivered to
    /// this log.
    ///
    /// - Parameters:
    ///   - halt: how the service failed.
    ///   - answer: what it answered, at most 32 KiB of it.
    package func caught(_ halt: TrailHalt, answer: [UInt8], to sent: TrailUpload) async throws(VaultError) {
        try await reviseTrail { (_, log) throws(VaultError) in
            guard log?.origin == sent.origin else { return false }
            let failing: TrailLog.Failing = halt == .forgetful ? .forgetful : .inconsistent
            log?.note(failing, answer: answer, at: device.clock().wall)
            return true
        }
    }

    /// Accepts the keys of the account's log, which came with a proved answer to a login.
    ///
    /// Of a log that is known, a later key counts if a former one named it (`AuditKeys.accepted`). Another log gets each
    /// chain that is kept, from its first record.
    package func learn(_ audit: AuditKeys) async throws(VaultError) {
        try await reviseTrail { (row, log) throws(VaultError) in
            if log?.origin == audit.origin, let known = log?.keys {
                log?.trust(audit.accepted(knowing: known))
                log?.wait = nil
            } else {
                var next = TrailLog(origin: audit.origin, beside: log)
                next.trust(audit.keys)
                log = next
            }
            row.tryAgain(from: row.isAbout(audit.origin) ? nil : 0)
            row.log = audit.origin
            return true
        }
    }

    /// Tries again what the service refused, and makes records of failures that are only counted, since the owner asked
    /// for all to be delivered.
    package func pressDelivery() async throws(VaultError) {
        try await turn { (_) async throws(VaultError) in
            guard trail.row?.epoch.writer.user != nil else { return }
            var entry = TrailEntry()
            entry.endsRuns = trail.row?.runs.contains { $0.count > 0 } == true
            if entry.endsRuns { _ = try trail.transaction(telling: entry) {} }
            try trail.revise { (row, log) throws(VaultError) in
                let former = (row, log)
                row.tryAgain(from: nil)
                log?.wait = nil
                log?.refusal = nil
                return former != (row, log)
            }
            state = state.owing(undeliveredEvents)
        }
    }

    private func reviseTrail(
        _ change: (inout TrailRow, inout TrailLog?) throws(VaultError) -> Bool
    ) async throws(VaultError) {
        try await turn { (_) async throws(VaultError) in
            try trail.revise(change)
            state = state.owing(undeliveredEvents)
        }
    }

    /// The log's head that was acknowledged last: an export of that log must have the same root at its size.
    package var keptCheckpoint: AuditCheckpoint? {
        tolerating { () throws(VaultError) in try trail.log()?.head } ?? nil
    }

    /// How far the trail was delivered, as last read; nil for a vault without an account.
    package var trailDelivery: TrailDelivery? {
        guard let row = trail.row, row.epoch.writer.user != nil else { return nil }
        let log = tolerating { () throws(VaultError) in try trail.log() } ?? nil
        let isRefused = row.chains.contains { $0.ending == .refused }
        let waits = row.undelivered > 0
        return TrailDelivery(
            undelivered: row.undelivered,
            deliveredAt: log?.deliveredAt,
            origin: log?.origin,
            halt: log?.halt ?? (waits && log == nil ? .logUnknown : isRefused ? .refused : nil),
            refusal: isRefused ? log?.refusal : nil
        )
    }
}

extension TrailLog {
    /// Why it gets nothing now.
    fileprivate var halt: TrailHalt? {
        if let last = evidence.last(where: { $0.origin == origin }) {
            return last.failing == .forgetful ? .forgetful : .inconsistent
        }
        switch wait {
        case .otherLog?: return .otherLog
        case .unknownDevice?: return .unknownDevice
        case nil: return nil
        }
    }

    /// The head that was acknowledged last.
    fileprivate var head: AuditCheckpoint? {
        receipt.flatMap { try? AuditReceipt(reading: $0) }?.note.checkpoint
    }
}

extension TrailRow {
    /// Whether its positions are those of a log; without a log they are of any.
    fileprivate func isAbout(_ origin: String) -> Bool { log == nil || log == origin }

    /// Takes up each chain that the service refused.
    ///
    /// - Parameter start: where to begin with each chain, for another log; nil where it was.
    fileprivate mutating func tryAgain(from start: UInt64?) {
        for chain in chains {
            _ = revise(chain.id) { chain in
                if let start { chain.delivered = start }
                if chain.ending == .refused || start != nil, chain.ending != .keyless { chain.ending = nil }
            }
        }
    }
}
