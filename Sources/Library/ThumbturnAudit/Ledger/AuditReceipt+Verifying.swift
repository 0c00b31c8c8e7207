/// Why a receipt acknowledges nothing.
package enum AuditReceiptError: Error, Hashable, Sendable {
    /// It is not the one form of a receipt.
    case malformed
    /// It is another upload's or another log's, or its proof is not that of the record.
    case wrong
    /// No key of those that are trusted signed its head.
    case unsigned
    /// The signed head doesn't continue the one that was kept: the log has two faces, or lost what it had.
    case inconsistent
}

extension AuditReceipt {
    /// Verifies that the log holds the records of an upload (A45).
    ///
    /// - Parameters:
    ///   - upload: what was sent.
    ///   - last: its last record.
    ///   - keys: those that are trusted.
    ///   - origin: the log's name.
    ///   - former: the checkpoint of this log that was kept; nil for the first.
    /// - Returns: the note, whose checkpoint is to be kept.
    /// - Throws: first `.wrong` for another upload or log, then `.unsigned`, `.wrong` for the proof, `.inconsistent`, also
    ///   where the head is smaller than the former, or nothing shows that it continues it.
    package func verify(
        _ upload: AuditUpload,
        last: AuditRecord,
        under keys: [AuditKey],
        origin: String,
        since former: AuditCheckpoint?
    ) throws(AuditReceiptError) -> AuditNote {
        guard self.origin.utf8.elementsEqual(origin.utf8), isOf(upload), isOf(last) else { throw .wrong }
        do throws(AuditError) { try note.verify(byAnyOf: keys) } catch { throw .unsigned }
        do throws(AuditProofError) {
            let leafHash = MerkleTree.leaf(AuditLeaf.record(last, at: tsServer))
            let head = note.checkpoint
            let root = try MerkleProof.root(of: leafHash, at: lastIndex, size: head.size, proof: proof)
            guard root == head.root else { throw .wrong }
        } catch { throw .wrong }
        if let former { try check(since: former) }
        return note
    }

    private func isOf(_ upload: AuditUpload) -> Bool {
        (deviceId, epoch) == (upload.deviceId, upload.epoch)
            && (firstSeq, lastSeq, headHash) == (upload.firstSeq, upload.lastSeq, upload.headHash)
    }

    private func isOf(_ last: AuditRecord) -> Bool {
        (deviceId, epoch, lastSeq, headHash) == (last.deviceId, last.epoch, last.seq, last.hash)
    }

    private func check(since former: AuditCheckpoint) throws(AuditReceiptError) {
        guard former.origin == origin else { throw .wrong }
        do throws(AuditProofError) {
            try MerkleProof.checkConsistency(
                from: former.size,
                root: former.root,
                to: note.checkpoint.size,
                root: note.checkpoint.root,
                proof: consistency ?? []
            )
        } catch { throw .inconsistent }
    }
}
