import ThumbturnBase
import ThumbturnCrypto
import ThumbturnRules

/// A slot that is sealed but not yet stored, with its key, so that it can be opened again once it is stored.
final class PreparedSlot: Sendable {
    let record: SlotRecord
    let assurance: Assurance?
    private let key: KeyEncryptionKey

    /// Wraps the session's master key in the slot that `blank` describes.
    init(
        _ blank: SlotRecord,
        for session: Session,
        under secret: borrowing SlotSecret,
        assurance: Assurance?
    ) throws(VaultError) {
        let header = try blank.header
        let key = try translating { () throws(CryptoError) in
            try withCleanStack { () throws(CryptoError) in try blank.keyEncryptionKey(from: secret) }
        }
        var record = blank
        record.box = try session.withMasterKey { (masterKey) throws(VaultError) in
            try translating { () throws(CryptoError) in try key.wrap(masterKey, associatedData: header) }
        }
        self.key = key
        self.record = record
        self.assurance = assurance
    }

    /// Opens the slot as read back from the store, and compares it with what was written.
    ///
    /// - Throws: `.vaultDamaged` when the store returned something other than what was written.
    @discardableResult
    func verify(_ stored: [UInt8]?, opens session: Session) throws(VaultError) -> UnlockProof {
        guard let stored else { throw VaultError(.vaultDamaged, "a new slot can't be read back") }
        let record = try SlotRecord(parsing: stored)
        let header = try record.header
        let opened = try translating { () throws(CryptoError) in try key.unwrap(record.box, associatedData: header) }
        let isSame = try session.withMasterKey { MasterKey.matches(opened, $0) }
        guard record == self.record, isSame else {
            throw VaultError(.vaultDamaged, "a new slot opens something else")
        }
        return record.proof(of: session, integrity: .intact)
    }

    /// The slot's entry in the head.
    var listing: Head.Slot {
        get throws(VaultError) {
            Head.Slot(id: record.id, kind: record.kind, digest: SHA256.digest(try record.bytes), assurance: assurance)
        }
    }
}
