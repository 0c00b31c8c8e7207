import CTSS2
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// An anchor on a chain in the TPM for each ledger's secret, with a small file that maps the chain's content to a
/// position.
///
/// The content is a digest of all positions so far, one link each, and the file is believed only if it explains the
/// content. So neither an attacker who writes the folder nor one who extends the chain can restore an earlier position:
/// they can only cause a position whose mark fits no ledger row, and from which a new one can move.
///
/// The first link is random and forgotten. With the empty owner password that we need, every user of the TPM may remove
/// the chain. A chain that is made afterwards can't reproduce an earlier content; a removed chain reads as an anchor
/// that was never made. A software TPM's state can be rolled back as a whole (A9).
package struct TPMAnchor: Anchor {
    let tpm: TPM
    let folder: PrivateFolder

    /// Reads an anchor's position; nil when the TPM has no anchor, or the secret belongs to another TPM.
    package func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try await talk(secret, onAnotherTPM: .success(nil)) { desk, folder, _ throws(TPMFailure) in
            try desk.look(try desk.note(in: folder)).standing.position
        }
    }

    /// Moves an anchor, or makes one: first the file, then the chain.
    ///
    /// - Throws: `.unavailable` also if one has to be made and the owner hierarchy has a password.
    package func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try await talk(secret, onAnotherTPM: .failure(.gaveUp)) { desk, folder, wasSent throws(TPMFailure) in
            let note = try desk.note(in: folder)
            let isFree = { (standing: AnchorLook.Standing) in
                LedgerPosition.mayMove(standing.position, from: former, to: next)
            }
            // A look from earlier in this conversation saves a new one, but only a fresh look may refuse.
            let standing =
                if let last = desk.lastLook(note), isFree(last) { last } else { try desk.look(note).standing }
            guard isFree(standing) else {
                // This may be the second run of a conversation whose first run already moved the anchor.
                return wasSent && standing.position == next
            }
            var (chain, content, written) = (standing.chain, standing.content, note ?? AnchorNote())
            if content == nil {
                let begun = try desk.makeChain(in: chain, folder)
                (chain, content, written) = (begun.chain, begun.content, begun.note)
            }
            guard let chain, let content else { throw .malformed }
            let link = AnchorNote.Link(former: content, position: next)
            // Keep the earlier position explained until the chain has the new link.
            written.links = written.links.filter { $0.content == content } + [link]
            try desk.write(written, in: folder)
            do throws(TPMFailure) {
                try desk.context.extend(chain, by: link.digest, desk.session)
            } catch {
                // Out of room or of a handle, the TPM did nothing; after any other error the move may have happened.
                if error.known?.mayPassAnew != true { wasSent = true }
                throw error
            }
            wasSent = true
            // If another process extended the chain without our lock, neither may believe that its move counts (A12).
            guard try desk.context.content(of: chain, desk.session) == link.content else { throw .gaveUp }
            if written.seed != nil { desk.finishMaking(&written, in: folder) }
            desk.remember(AnchorLook.Standing(chain: chain, content: link.content, position: next), written)
            return true
        }
    }

    /// Removes an anchor, and the remains of an attempt to make it; does nothing if there is none.
    package func remove(for secret: ItemName) async throws(DeviceRefusal) {
        _ = try await talk(secret, onAnotherTPM: .success(false)) { desk, folder, _ throws(TPMFailure) in
            if let chain = try desk.context.chain(Self.key(secret)) { try desk.context.undefine(chain) }
            // The file explains nothing without its chain, so it is removed last.
            try desk.remove(in: folder)
            return true
        }
    }

    static func key(_ secret: ItemName) -> TPMCounterKey { TPMCounterKey(purpose: "chain", name: secret.text) }

    /// Runs a conversation with the TPM that has the device secret, while holding the folder's lock.
    ///
    /// - Parameters:
    ///   - other: the result if another TPM answers.
    ///   - body: runs again if it only lacked room in the TPM; its last argument keeps its value between the runs.
    private func talk<Answer: Sendable>(
        _ secret: ItemName,
        onAnotherTPM other: Result<Answer, TPMFailure>,
        _ body: @escaping @Sendable (Desk, borrowing PrivateFolder.Opened, inout Bool) throws(TPMFailure) -> Answer
    ) async throws(DeviceRefusal) -> Answer {
        let file = "anchor." + (try secret.newFileName())
        return try await tpm.thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in
                let home = try folder.sealedRecord(secret.fileName, .deviceSecret)?.home
                var kept = false
                return try tpm.talk { context throws(TPMFailure) in
                    do throws(TPMFailure) {
                        let parent = if let home { try context.parent(named: home) } else { try context.parent() }
                        let session = try context.session(with: parent)
                        let desk = Desk(
                            context: context,
                            session: session,
                            home: parent.name,
                            file: file,
                            secret: secret
                        )
                        return try body(desk, folder, &kept)
                    } catch {
                        guard error == .anotherTPM else { throw error }
                        return try other.get()
                    }
                }
            }
        }
    }
}

/// A conversation about one anchor, and the anchor's file.
private struct Desk {
    let context: TPMContext
    let session: ESYS_TR
    /// The Name of the key that salts the session: another TPM's file explains nothing.
    let home: [UInt8]
    let file: String
    let secret: ItemName

    func look(_ note: AnchorNote?) throws(TPMFailure) -> AnchorLook {
        let look = AnchorLook(file: file, note: note, standing: try standing(note))
        context.lastLook = look
        return look
    }

    /// Returns the last look of this conversation, if the file has not changed since.
    ///
    /// Every move of an anchor writes its file first, under the lock that we hold. A foreign link in the chain, before
    /// ours or after it, makes the content unexplained, which the next look finds.
    func lastLook(_ note: AnchorNote?) -> AnchorLook.Standing? {
        guard let look = context.lastLook, look.file == file, look.note == note else { return nil }
        return look.standing.content == nil ? nil : look.standing
    }

    func remember(_ standing: AnchorLook.Standing, _ note: AnchorNote) {
        context.lastLook = AnchorLook(file: file, note: note, standing: standing)
    }

    private func standing(_ note: AnchorNote?) throws(TPMFailure) -> AnchorLook.Standing {
        guard let chain = try context.chain(TPMAnchor.key(secret)) else { return AnchorLook.Standing() }
        guard chain.isWritten else { return AnchorLook.Standing(chain: chain) }
        let content = try context.content(of: chain, session)
        // A chain that an interrupted call began to make: nothing has moved yet.
        let isBeginning = note?.seed.map(AnchorNote.content(ofSeed:)) == content
        return AnchorLook.Standing(
            chain: chain,
            content: content,
            position: isBeginning ? nil : note?.position(at: content) ?? AnchorNote.unexplained(content, near: note)
        )
    }

    /// Makes a chain with its first link, also in place of one that has no link.
    func makeChain(
        in place: TPMChain?,
        _ folder: borrowing PrivateFolder.Opened
    ) throws(TPMFailure) -> (chain: TPMChain, content: [UInt8], note: AnchorNote) {
        let seed = RandomBytes.make(SHA256.byteCount)
        let note = AnchorNote(seed: seed)
        if let place { try context.undefine(place) }
        // The chain first, because the TPM may refuse it; a chain without a link counts as none. Then the file, with
        // the first link.
        let chain = try context.defineChain(TPMAnchor.key(secret))
        try write(note, in: folder)
        try context.extend(chain, by: seed, session)
        return (chain, AnchorNote.content(ofSeed: seed), note)
    }

    /// Forgets the first link of a chain.
    ///
    /// The anchor has moved already: if this fails, the next move does it.
    func finishMaking(_ note: inout AnchorNote, in folder: borrowing PrivateFolder.Opened) {
        var finished = note
        finished.seed = nil
        do throws(TPMFailure) {
            try write(finished, in: folder)
            note = finished
        } catch {}
    }

    /// Reads the file; nil if it is missing, damaged, or another TPM's, and so explains nothing.
    ///
    /// A file of a later version may explain what this version can't read, so it is an error and never overwritten.
    func note(in folder: borrowing PrivateFolder.Opened) throws(TPMFailure) -> AnchorNote? {
        do throws(DeviceRefusal) {
            guard let bytes = try folder.read(file) else { return nil }
            let found = try ItemRecord.parse(bytes, named: file)
            guard found.record.kind == .anchor, found.record.home == home else { return nil }
            return try? AnchorNote(parsing: found.tail.bytes(0..<found.tail.byteCount))
        } catch {
            guard error == .damaged else { throw .folderFailed }
            return nil
        }
    }

    func write(_ note: AnchorNote, in folder: borrowing PrivateFolder.Opened) throws(TPMFailure) {
        let record = ItemRecord(kind: .anchor, home: home)
        do throws(DeviceRefusal) {
            try folder.replace(file, by: record.file(named: file, tail: SecretBytes(record: note.bytes)))
        } catch {
            throw .folderFailed
        }
    }

    func remove(in folder: borrowing PrivateFolder.Opened) throws(TPMFailure) {
        do throws(DeviceRefusal) { try folder.remove(file) } catch { throw .folderFailed }
    }
}
