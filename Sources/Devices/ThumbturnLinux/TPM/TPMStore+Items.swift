import CTSS2
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Items, on the TPM's thread.
extension TPMStore {
    /// Reads an item's record, of one kind or any; nil when it is confirmed to be missing.
    ///
    /// - Throws: `.unavailable` also for a record of another kind of store.
    func record(of name: ItemName, _ kind: ItemRecord.Kind?) throws(DeviceRefusal) -> ItemRecord? {
        try folder.withLock { folder throws(DeviceRefusal) in try folder.sealedRecord(name.fileName, kind) }
    }

    /// Adds an item that only the device guards.
    func add(_ secret: borrowing SecretBytes, as name: ItemName) throws(DeviceRefusal) {
        let file = try name.newFileName()
        let secret = secret.copy()
        try folder.withLock { folder throws(DeviceRefusal) in
            try folder.requireFree(file)
            let record = try tpm.talk { context throws(TPMFailure) in
                let parent = try context.parent()
                let session = try context.session(with: parent)
                let sealed = try context.seal(secret, under: .none, counted: .none(), in: parent, session)
                return ItemRecord(kind: .item, home: parent.name, sealed: sealed)
            }
            try folder.add(record, tail: .none(), as: file)
        }
    }

    /// Adds an item that a finger guards.
    func add(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        for set: [UInt8],
        _ lease: ItemLease?
    ) throws(DeviceRefusal) {
        let file = try name.newFileName()
        let secret = secret.copy()
        try folder.withLock { folder throws(DeviceRefusal) in
            try folder.requireFree(file)
            // If items of another set share this epoch, a later raise would end this item with them: raise it now.
            let stale = try folder.guardedItems(with: name).values.filter { $0.enrolledSet != set }
            let record = try tpm.talk { context throws(TPMFailure) in
                let parent = try context.parent()
                let session = try context.session(with: parent)
                let counter = try context.writtenCounter(epochKey(of: name), session)
                var epoch = try context.value(of: counter, session)
                if stale.contains(where: { $0.sealed?.policy?.epoch == epoch }) {
                    try context.raise(counter, session)
                    epoch = try context.value(of: counter, session)
                }
                let policy = try context.policy(epoch: epoch, lease)
                let digest = try context.digest(of: policy, counter, in: parent)
                let authorisation = RandomBytes.make(32)
                let rule = TPMContext.Guard.policy(digest: digest, authorisation: authorisation)
                var sealed = try context.seal(secret, under: rule, counted: .none(), in: parent, session)
                sealed.authorisation = authorisation
                sealed.policy = policy
                return ItemRecord(kind: .item, home: parent.name, enrolledSet: set, sealed: sealed)
            }
            try folder.add(record, tail: .none(), as: file)
        }
    }

    /// Refuses a guarded item that was revoked before the user is asked for a finger, and ends it for good if the
    /// enrolled set has changed.
    ///
    /// This check costs two short commands. The TPM itself enforces it when the item is opened.
    ///
    /// - Returns: whether its lease still runs.
    func requireUnrevoked(_ record: ItemRecord, of name: ItemName, isOfThisSet: Bool) throws(DeviceRefusal) -> Bool {
        guard let policy = record.sealed?.policy else { throw .damaged }
        return try talk { context throws(TPMFailure) in
            let counter = try epoch(of: policy, record, name, in: context)
            if isOfThisSet { return policy.isOpen(at: try context.clock()) }
            let session = try context.session(with: try context.parent(named: record.home))
            try context.raise(counter, session)
            throw TPMFailure(.policyOver)
        }
    }

    /// Finds the counter of an item's epoch, if the epoch still holds.
    private func epoch(
        of policy: ItemPolicy,
        _ record: ItemRecord,
        _ name: ItemName,
        in context: TPMContext
    ) throws(TPMFailure) -> TPMCounter {
        guard let counter = try context.counter(epochKey(of: name)), counter.isWritten,
            try context.value(of: counter) == policy.epoch
        else {
            // Over, or of another TPM: this throws for the latter.
            _ = try context.parent(named: record.home)
            throw TPMFailure(.policyOver)
        }
        return counter
    }

    /// Opens an item, after any prompt.
    func open(_ record: ItemRecord, of name: ItemName) throws(DeviceRefusal) -> SecretBytes {
        guard let sealed = record.sealed else { throw .unavailable }
        return try sparing(record) { () throws(DeviceRefusal) in
            try talk { context throws(TPMFailure) in
                let parent = try context.parent(named: record.home)
                let object = try context.load(sealed, in: parent)
                guard let policy = sealed.policy else {
                    return try context.unseal(object, try context.session(with: parent))
                }
                guard let counter = try context.counter(epochKey(of: name)) else { throw TPMFailure(.policyOver) }
                let holds = try context.session(under: policy, counter, in: parent)
                try context.setAuthorisation(of: object, SecretBytes(record: sealed.authorisation))
                return try context.unseal(object, holds)
            }
        }
    }

    /// Describes an item by what the TPM enforces, once its epoch holds and it was loaded.
    func describe(_ record: ItemRecord, of name: ItemName) throws(DeviceRefusal) -> ItemDescription {
        guard let sealed = record.sealed, record.enrolledSet == nil || sealed.policy != nil else { throw .damaged }
        let attributes = try sparing(record) { () throws(DeviceRefusal) in
            try talk { context throws(TPMFailure) in
                if record.enrolledSet != nil, let policy = sealed.policy {
                    _ = try epoch(of: policy, record, name, in: context)
                }
                _ = try context.load(sealed, in: try context.parent(named: record.home))
                return try TPMContext.attributes(of: sealed)
            }
        }
        let isFree = attributes & TPMA_OBJECT(TPMA_OBJECT_USERWITHAUTH) != 0
        let fixed = TPMA_OBJECT(TPMA_OBJECT_FIXEDTPM | TPMA_OBJECT_FIXEDPARENT)
        return ItemDescription(
            access: isFree ? .deviceOnly : .currentBiometrySet,
            staysOnDevice: attributes & fixed == fixed
        )
    }

    /// Removes an item's file.
    ///
    /// Before the last guarded item of its vault goes, raises the epoch, which ends all its copies; before a device
    /// secret goes, ends its parts in the same way.
    func remove(_ name: ItemName) throws(DeviceRefusal) {
        guard let file = name.fileName else { return }
        try folder.withLock { folder throws(DeviceRefusal) in
            if try folder.mayBeGuarded(file), try folder.guardedItems(with: name).keys.allSatisfy({ $0 == file }) {
                try endEpoch(of: name)
            }
            if name.purpose == .deviceSecret { try endParts(of: name) }
            try folder.removeItem(file)
            let isLast = try !folder.names().contains { ItemName(text: $0)?.endsTogether(with: name) == true }
            // Cleanup: if it fails, an empty counter stays behind, and the deletion stands.
            if isLast { try? forgetEpoch(of: name) }
        }
    }

    private func endEpoch(of name: ItemName) throws(DeviceRefusal) {
        try tpm.talk { context throws(TPMFailure) in
            guard let counter = try context.counter(epochKey(of: name)), counter.isWritten else { return }
            try context.raise(counter, try context.session(with: try context.parent()))
        }
    }

    private func forgetEpoch(of name: ItemName) throws(DeviceRefusal) {
        try tpm.talk { context throws(TPMFailure) in
            if let counter = try context.counter(epochKey(of: name)) { try context.undefine(counter) }
        }
    }

    /// Runs a conversation while holding the folder's lock: two processes would take each other's places in a TPM.
    func talk<R: ~Copyable>(_ body: (TPMContext) throws(TPMFailure) -> R) throws(DeviceRefusal) -> R {
        try folder.withLock { _ throws(DeviceRefusal) in try tpm.talk(body) }
    }

    /// Returns the key of the epoch that ends an item together with its siblings.
    func epochKey(of name: ItemName) -> TPMCounterKey {
        let scope = name.purpose == .credential ? folderPath : name.vault?.text ?? ""
        return TPMCounterKey(purpose: name.purpose == .credential ? "credentials" : "epoch", name: scope)
    }

    /// Runs `body`; keeps a damaged blob from passing for the loss of an item that can't be made again (A25).
    ///
    /// A device secret of another TPM, or of one that was cleared, is `damaged` too, not absent: its file is still
    /// here, whereas a secret replaced by a new PIN has no file.
    func sparing<R: ~Copyable>(_ record: ItemRecord, _ body: () throws(DeviceRefusal) -> R) throws(DeviceRefusal) -> R {
        do {
            return try body()
        } catch .revoked where record.access == .deviceOnly {
            throw .damaged
        } catch .absent where record.kind == .deviceSecret || record.kind == .slotSecret {
            throw .damaged
        } catch {
            throw error
        }
    }
}

extension PrivateFolder.Opened {
    /// Reads a record that a TPM's store wrote; nil if there is none of that kind.
    borrowing func sealedRecord(_ file: String?, _ kind: ItemRecord.Kind?) throws(DeviceRefusal) -> ItemRecord? {
        guard let record = try item(file)?.record, kind == nil || record.kind == kind else { return nil }
        guard record.sealed != nil else { throw .unavailable }
        return record
    }

    /// Whether a finger guards the item of a file; true if the file is damaged.
    borrowing func mayBeGuarded(_ file: String) throws(DeviceRefusal) -> Bool {
        guard try contains(file) else { return false }
        do { return try item(file)?.record.access == .currentBiometrySet } catch { return true }
    }
}

extension TPMContext {
    /// Returns a counter that was raised; makes and raises it if needed.
    func writtenCounter(_ key: TPMCounterKey, _ session: ESYS_TR) throws(TPMFailure) -> TPMCounter {
        if let counter = try self.counter(key) {
            if !counter.isWritten { try raise(counter, session) }
            return counter
        }
        let counter = try define(key)
        try raise(counter, session)
        return counter
    }

    fileprivate func policy(epoch: UInt64, _ lease: ItemLease?) throws(TPMFailure) -> ItemPolicy {
        guard let lease else { return ItemPolicy(epoch: epoch) }
        let clock = try self.clock()
        var deadline: UInt64?
        if let duration = lease.duration {
            let (sum, overflow) = clock.milliseconds.addingReportingOverflow(UInt64(max(duration.count, 0)))
            deadline = overflow ? .max : sum
        }
        return ItemPolicy(epoch: epoch, resetCount: lease.thisBootOnly ? clock.resetCount : nil, deadline: deadline)
    }
}

extension SecretBytes {
    /// Copies the public bytes of a record.
    init(record bytes: [UInt8]) {
        unsafe self.init(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
    }
}
