import ThumbturnAudit
import ThumbturnFiles
import ThumbturnJSON
import ThumbturnRules

// One transaction, and what follows it.
extension Sequencer {
    /// Writes what waits and a signature in one transaction, and answers what is settled by it.
    func write(
        _ work: [LedgerWork],
        _ entries: [(number: Int64, entry: LedgerEntry)],
        _ signed: SignedHead?
    ) throws(StoreError) {
        guard let state else { throw .unavailable }
        let now = clock()
        let written: LogDraft?
        do throws(StoreError) {
            written = try opened().transaction { transaction throws(StoreError) -> LogDraft? in
                guard try LogHead.read(log, transaction) == state.head else {
                    transaction.undo()
                    return nil
                }
                var draft = LogDraft(state, memory, at: now, transaction)
                if let signed { try draft.store(signed) }
                if announces { try draft.announce(keys) }
                for (number, entry) in entries { try draft.take(entry, number: number) }
                for item in work {
                    switch item {
                    case .upload(let upload): try draft.take(upload)
                    case .rejected(let rejection): try draft.take(rejection)
                    }
                }
                guard try draft.finish() else {
                    transaction.undo()
                    return nil
                }
                if !draft.hasChanges { transaction.undo() }
                return draft
            }
        } catch {
            try handle(error, work)
            return
        }
        guard let written else {
            // Another instance was faster: what waits is judged anew from what it wrote.
            retried = work + retried
            machine.missed()
            return
        }
        failures = 0
        settle(written)
        if !entries.isEmpty { strike(through: written.state.head.outbox) }
        // While answers go out, the next signature is made.
        try handToSigner()
        try answerStored()
    }

    /// Keeps what could not be written; alone in its transaction, work that can never be written is refused.
    private func handle(_ error: StoreError, _ work: [LedgerWork]) throws(StoreError) {
        let isPassing: Bool
        switch error {
        case .unavailable, .uncertain, .busy, .full, .newerFormat, .unsafeFile, .absent, .folderMissing:
            isPassing = true
        case .conflict, .damaged, .tampered, .keyMissing, .other: isPassing = false
        }
        if !isPassing, work.count == 1, failures > 1 {
            // A unique key that another instance wrote first: over a foreign table that is no 40001.
            work[0].upload?.refuse(error == .conflict ? .wait(.seconds(1), .busy) : Problem(store: error))
        } else {
            let size = state?.head.size ?? 0
            retried = (error == .uncertain ? work.map { $0.perhapsStored(behind: size) } : work) + retried
        }
        throw error
    }

    private func settle(_ draft: LogDraft) {
        var next = draft.state
        next.edge.settle(keeping: next.head.signed ?? 0)
        state = next
        memory.learn(draft.learned)
        machine.wrote(SequencerMachine.Head(next.head))
        let size = next.head.size
        var stored: [Stored] = []
        for (upload, outcome) in draft.outcomes {
            switch outcome {
            case .refused(let problem): upload.refuse(problem)
            case .placed(let place):
                stored.append(Stored(upload: upload, place: place, size: min(size, place.lastIndex + 1)))
            }
        }
        desk.change { desk in
            desk.writing = []
            desk.stored += stored
        }
        for chain in draft.forked {
            records.record(
                .error,
                "a device's chain was forked",
                at: clock(),
                [("device", .string(chain.device.text)), ("epoch", .string(chain.epoch.text))]
            )
        }
    }

    /// Deletes what the log has taken from the outbox; if that fails, the next time does it.
    private func strike(through number: Int64) {
        let log = log
        _ = try? store?.transaction { transaction throws(StoreError) in
            try Outbox.strike(of: log, through: number, transaction)
        }
    }
}

// Answers.
extension Sequencer {
    /// Shows readers the newest signed head.
    func publish() throws(StoreError) {
        guard let state, let signed = state.head.signed else { return }
        guard face.change({ $0?.size != signed }) else { return }
        let log = log
        let text = try opened().reading { transaction throws(StoreError) in
            try transaction.note(covering: signed, of: log)
        }
        guard let text, let note = try? AuditNote(reading: text), note.checkpoint.size == signed else {
            throw StoreError.damaged
        }
        var keys: [AuditKey] = []
        for key in state.keys { if let published = try key.published { keys.append(published) } }
        face.change {
            $0 = LogFace(origin: origin, note: note, size: signed, keys: AuditKeys(origin: origin, keys: keys))
        }
    }

    /// Answers every upload that a stored signature covers.
    func answerStored() throws(StoreError) {
        try publish()
        guard let face = face.change({ $0 }), let state else { return }
        let ready = desk.change { desk -> [Stored] in
            let ready = desk.stored.filter { machine.answers($0.size) }
            desk.stored.removeAll { machine.answers($0.size) }
            return ready
        }
        guard !ready.isEmpty else { return }
        let tiles = StoredTiles(log, state.edge)
        let store = try opened()
        do throws(StoreError) {
            try store.reading { transaction throws(StoreError) in
                for item in ready { try item.acknowledge(face, tiles, transaction) }
            }
        } catch {
            // Those that were answered are not answered again.
            desk.change { $0.stored = ready + $0.stored }
            throw error
        }
    }
}

extension Sequencer.Stored {
    fileprivate func acknowledge(
        _ face: LogFace,
        _ tiles: StoredTiles,
        _ transaction: any StoreTransaction
    ) throws(StoreError) {
        let prover = MerkleProver(size: face.size) { (node) throws(StoreError) in try tiles.node(node, transaction) }
        let incoming = upload.incoming
        var consistency: [[UInt8]]?
        if let since = incoming.since, since <= face.size { consistency = try prover.consistency(from: since) }
        upload.acknowledge(
            AuditReceipt(
                of: incoming.upload,
                firstIndex: place.firstIndex,
                lastIndex: place.lastIndex,
                tsServer: Milliseconds(place.time.count),
                proof: try prover.inclusion(of: place.lastIndex),
                note: face.note,
                consistency: consistency
            )
        )
    }
}
