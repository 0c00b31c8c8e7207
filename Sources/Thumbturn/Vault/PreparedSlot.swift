import ThumbturnCrypto
import ThumbturnRules

/// A slot that was sealed and not yet stored, with its key, so that it can be opened again once it is stored.
final class PreparedSlot {
    let record: SlotRecord
    let assurance: Assurance
    let isConfirmed: Bool
    private let key: KeyEncryptionKey

    /// Wraps `masterKey` for the slot that `blank` describes.
    init(
        _ blank: SlotRecord, wrapping masterKey: borrowing MasterKey, under secret: borrowing SlotSecret,
        limits: Argon2Limits, assurance: Assurance, isConfirmed: Bool = true
    ) throws(VaultError) {
        let header = try blank.header
        var record = blank
        do {
            key = try withCleanStack { () throws(CryptoError) in
                try blank.keyEncryptionKey(from: secret, limits: limits)
            }
            record.box = try key.wrap(masterKey, associatedData: header)
        } catch {
            throw VaultError(error)
        }
        self.record = record
        self.assurance = assurance
        self.isConfirmed = isConfirmed
    }

    /// Opens what was read back from the store, and compares.
    ///
    /// - Throws: `.storageUnavailable` when the store gave something else back than it was given.
    @discardableResult
    func verify(_ stored: [UInt8]?, opens session: Session) throws(VaultError) -> UnlockProof {
        guard let stored else { throw VaultError(.storageUnavailable, "a new slot can't be read back") }
        let record = try SlotRecord(parsing: stored)
        let header = try record.header
        let opened = try translating { () throws(CryptoError) in try key.unwrap(record.box, associatedData: header) }
        guard record == self.record, MasterKey.matches(opened, session.masterKey) else {
            throw VaultError(.storageUnavailable, "a new slot opens something else")
        }
        return record.proof(of: session, integrity: .intact)
    }

    /// How the head lists the slot.
    var listing: Head.Slot {
        get throws(VaultError) {
            Head.Slot(
                id: record.id, kind: record.kind, digest: SHA256.digest(try record.bytes), assurance: assurance,
                isConfirmed: isConfirmed)
        }
    }
}
