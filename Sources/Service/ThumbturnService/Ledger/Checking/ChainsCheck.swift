import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnRules

/// Holds the records of a log against their chains, and against what the devices signed.
///
/// It keeps a few hundred bytes for each chain.
struct ChainsCheck {
    private struct State {
        var chain: AuditChain
        let publicKey: [UInt8]
        let user: Identifier
        /// The leaf of the last record.
        var last: UInt64
        /// Whether an entry says that it was forked, and so ended.
        var isForked = false
        var isRowSeen = false
    }

    /// An upload whose records come now.
    private struct Open {
        let upload: StoredUpload
        /// Whether one of its leaves is missing or changed, or the upload was named already.
        var isDoubtful = false
    }

    let origin: String
    private var states: [Chain.Name: State] = [:]
    private var claims: [Chain.Name: AuditPayload.Former.Last] = [:]
    private var open: Open?
    /// The last leaf that is missing, or was changed.
    private(set) var lastDoubt: UInt64?

    init(origin: String) { self.origin = origin }

    /// Begins an upload at its first leaf.
    mutating func begin(_ upload: StoredUpload) -> LedgerFault? {
        let former = open
        open = Open(upload: upload)
        guard let former, !former.isDoubtful else { return nil }
        return .uploadWrong(former.upload.firstIndex)
    }

    /// Passes a leaf that can't be read.
    mutating func skip(_ index: UInt64) {
        lastDoubt = index
        open?.isDoubtful = true
        closeIfEnded(index)
    }

    /// Takes an entry of the service's own.
    mutating func take(_ entry: LedgerEntry, at index: UInt64) -> LedgerFault? {
        if case .fork(let device, let epoch, _, _, _) = entry {
            states[Chain.Name(device: device, epoch: epoch)]?.isForked = true
        }
        guard let upload = open?.upload else { return nil }
        open = nil
        return .uploadWrong(upload.firstIndex)
    }

    /// Takes a record.
    ///
    /// - Parameter row: returns the row of a chain that begins.
    mutating func take(
        _ record: AuditRecord,
        at index: UInt64,
        row: (Chain.Name) throws(StoreError) -> Chain?
    ) throws(StoreError) -> [LedgerFault] {
        let name = Chain.Name(device: record.deviceId, epoch: record.epoch)
        var faults: [LedgerFault] = []
        if states[name] == nil {
            guard let row = try row(name) else {
                open = nil
                return [.chainUnknown(index)]
            }
            let chain = AuditChain(deviceId: record.deviceId, epoch: record.epoch, publicKey: row.publicKey)
            states[name] = State(chain: chain, publicKey: row.publicKey, user: row.user, last: 0)
        }
        guard var state = states.removeValue(forKey: name) else { return [] }
        let isExcused = isExcused(since: state.last)
        do throws(AuditFinding) { try state.chain.take(record) } catch {
            if !isExcused { faults.append(.recordUnchained(index)) }
            state.chain = AuditChain(
                deviceId: record.deviceId,
                epoch: record.epoch,
                next: record.seq + 1,
                head: record.hash
            )
        }
        if record.userId != state.user.text || state.isForked { faults.append(.recordUnchained(index)) }
        state.last = index
        if let former = record.payload.former, let last = former.last {
            claims[Chain.Name(device: record.deviceId, epoch: former.epoch)] = last
        }
        faults += bring(record, at: index, signedBy: state.publicKey)
        states[name] = state
        return faults
    }

    /// Ends the log.
    ///
    /// - Returns: an upload that lacks records.
    mutating func finish() -> LedgerFault? {
        defer { open = nil }
        guard let open, !open.isDoubtful else { return nil }
        return .uploadWrong(open.upload.firstIndex)
    }
}

// Uploads.
extension ChainsCheck {
    private mutating func bring(
        _ record: AuditRecord,
        at index: UInt64,
        signedBy publicKey: [UInt8]
    ) -> [LedgerFault] {
        guard let open, index - open.upload.firstIndex < open.upload.count else {
            self.open = nil
            return [.uploadMissing(index)]
        }
        let upload = open.upload
        var isRight = upload.device == record.deviceId && upload.epoch == record.epoch
        isRight = isRight && record.seq == upload.firstSeq + (index - upload.firstIndex)
        if isRight, index == upload.firstIndex + upload.count - 1 {
            isRight = isSigned(upload, last: record, by: publicKey)
        }
        defer { closeIfEnded(index) }
        guard !isRight, !open.isDoubtful else { return [] }
        self.open?.isDoubtful = true
        return [.uploadWrong(upload.firstIndex)]
    }

    private func isSigned(_ upload: StoredUpload, last: AuditRecord, by publicKey: [UInt8]) -> Bool {
        guard let signed = try? AuditUpload(reading: upload.header), signed.deviceId == upload.device,
            signed.epoch == upload.epoch, signed.firstSeq <= upload.firstSeq, signed.lastSeq == last.seq,
            signed.headHash == last.hash
        else { return false }
        let message = signed.message(origin: origin)
        return (try? P256.verify(signature: upload.signature, of: message, publicKey: publicKey)) != nil
    }

    private mutating func closeIfEnded(_ index: UInt64) {
        guard let upload = open?.upload, index + 1 >= upload.firstIndex + upload.count else { return }
        open = nil
    }
}

// What the chains' rows say.
extension ChainsCheck {
    /// Whether a chain's row says what its records do, as far as these can be read.
    mutating func agrees(_ row: Chain, _ name: Chain.Name) -> Bool {
        guard let state = states[name] else { return lastDoubt != nil }
        states[name]?.isRowSeen = true
        guard row.user == state.user, row.publicKey == state.publicKey else { return false }
        guard row.isEnded == state.isForked || lastDoubt != nil else { return false }
        if row.next == state.chain.next, row.head == state.chain.head { return true }
        return row.next > state.chain.next && isExcused(since: state.last)
    }

    /// Whether what comes behind a leaf may follow from one that can't be read.
    private func isExcused(since index: UInt64) -> Bool { lastDoubt.map { $0 >= index } ?? false }

    /// The fault of a row that does not.
    func fault(_ name: Chain.Name) -> LedgerFault {
        .chainWrong(device: name.device, epoch: name.epoch, states[name]?.last)
    }

    /// The chains whose rows are gone.
    var unseen: [LedgerFault] {
        states.filter { !$0.value.isRowSeen }.map { fault($0.key) }
    }

    /// The chains that end before, or otherwise than, the ones behind them say.
    var remarks: [LedgerRemark] {
        let names = claims.keys.sorted { ($0.device.text, $0.epoch.text) < ($1.device.text, $1.epoch.text) }
        return names.compactMap { name in
            guard let last = claims[name] else { return nil }
            let chain = states[name]?.chain
            let count = chain?.next ?? 0
            guard count > last.seq else {
                return .cut(device: name.device, epoch: name.epoch, count: count, told: last.seq + 1)
            }
            guard count == last.seq + 1, chain?.head != last.hash else { return nil }
            return .diverged(device: name.device, epoch: name.epoch, seq: last.seq)
        }
    }
}
