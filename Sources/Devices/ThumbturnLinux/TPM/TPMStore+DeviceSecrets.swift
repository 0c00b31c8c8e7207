import CTSS2
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Device secrets, on the TPM's thread.
extension TPMStore {
    func addDeviceSecret(_ name: ItemName) throws(DeviceRefusal) {
        let file = try name.newFileName()
        try folder.withLock { folder throws(DeviceRefusal) in
            try folder.requireFree(file)
            let record = try tpm.talk { context throws(TPMFailure) in
                // The secret's anchor, which the vault makes next, needs the owner's authorisation.
                guard try !context.ownerHasPassword() else { throw TPMFailure(.notAuthorised) }
                let parent = try context.parent()
                let session = try context.session(with: parent)
                try tpm.look(in: context, session)
                let key = try context.makeKey(in: parent, session)
                return ItemRecord(kind: .deviceSecret, home: parent.name, sealed: key)
            }
            try folder.add(record, tail: .none(), as: file)
        }
    }

    func use(_ name: ItemName, input: [UInt8]) throws(DeviceRefusal) -> SecretBytes {
        guard let record = try record(of: name, .deviceSecret), let sealed = record.sealed else { throw .absent }
        // A TPM accepts 1,024 bytes in one command; a digest always fits.
        let digest = SHA256.digest(Array("thumbturn.v1.linux-device-secret\0".utf8), input)
        return try sparing(record) { () throws(DeviceRefusal) in
            try talk { context throws(TPMFailure) in
                let parent = try context.parent(named: record.home)
                let session = try context.session(with: parent)
                return try context.hmac(try context.load(sealed, in: parent), session, digest)
            }
        }
    }

    func addSlot(_ slot: Identifier, of name: ItemName, _ authorisation: borrowing SecretBytes) throws(DeviceRefusal) {
        guard let file = name.fileName else { throw .absent }
        guard 1...32 ~= authorisation.byteCount else { throw .unclassified }
        let authorisation = authorisation.copy()
        try folder.withLock { folder throws(DeviceRefusal) in
            guard let secret = try folder.sealedRecord(file, .deviceSecret) else { throw .absent }
            try folder.requireFree(Self.slotFile(slot, file))
            let record = try tpm.talk { context throws(TPMFailure) in
                // Send the PIN's digest, the one secret that could be guessed, only to the TPM that has the rest.
                let parent = try context.parent(named: secret.home)
                let session = try context.session(with: parent)
                try tpm.look(in: context, session)
                let part = SecretBytes.random(byteCount: 32)
                // The part is bound to the device secret's counter: after that ends, a copy of its blob opens nothing,
                // even with its PIN.
                let counter = try context.writtenCounter(Self.partsKey(name), session)
                let policy = ItemPolicy(epoch: try context.value(of: counter, session))
                let rule = TPMContext.Guard.countedWhile(
                    digest: try context.digest(of: policy, counter, Self.noMoreThan, in: parent)
                )
                var sealed = try context.seal(part, under: rule, counted: authorisation, in: parent, session)
                sealed.policy = policy
                return ItemRecord(kind: .slotSecret, home: parent.name, sealed: sealed)
            }
            try folder.add(record, tail: .none(), as: Self.slotFile(slot, file))
        }
    }

    func use(
        _ slot: Identifier,
        of name: ItemName,
        _ authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) throws(DeviceRefusal) -> SecretBytes {
        guard let file = name.fileName else { throw .absent }
        guard 1...32 ~= authorisation.byteCount else { throw .wrongAuthorisation }
        let authorisation = authorisation.copy()
        let part: SecretBytes? = try folder.withLock { folder throws(DeviceRefusal) in
            guard let record = try folder.sealedRecord(Self.slotFile(slot, file), .slotSecret),
                let sealed = record.sealed, let policy = sealed.policy
            else { throw .absent }
            return try sparing(record) { () throws(DeviceRefusal) -> SecretBytes? in
                try tpm.talk { context throws(TPMFailure) -> SecretBytes? in
                    let parent = try context.parent(named: record.home)
                    let session = try context.session(with: parent)
                    // Shows at each unlock whether the lockout password was removed since the PIN was chosen.
                    try tpm.look(in: context, session, knowsMaker: true)
                    guard let holds = try context.session(whilePartsOf: name, policy, in: parent, session) else {
                        return nil
                    }
                    let object = try context.load(sealed, in: parent)
                    try context.setAuthorisation(of: object, authorisation)
                    return try context.unseal(object, holds)
                }
            }
        }
        switch consume part {
        case .some(let part): return HMACSHA256.secret(of: input, key: part)
        case .none: throw .absent
        }
    }

    /// Ends every part that was ever made of a device secret, including those in copies of this folder.
    func endParts(of name: ItemName) throws(DeviceRefusal) {
        try tpm.talk { context throws(TPMFailure) in
            guard let counter = try context.counter(Self.partsKey(name)) else { return }
            try context.raise(counter, try context.session(with: try context.parent()))
            // Cleanup: if it fails, an unused counter stays behind.
            try? context.undefine(counter)
        }
    }

    func removeParts(of name: ItemName, butFor slots: [Identifier]) throws(DeviceRefusal) {
        guard let file = name.fileName else { return }
        let kept = Set(slots.map { Self.slotFile($0, file) })
        try folder.withLock { folder throws(DeviceRefusal) in
            for part in try folder.names() where part.hasPrefix(file + ".") && !kept.contains(part) {
                try folder.remove(part)
            }
        }
    }

    /// Returns the key of the counter that a device secret's parts depend on.
    ///
    /// The parts open while it has not risen. A counter that is made again starts above all earlier values in that TPM;
    /// but if the TPM's state was rolled back it starts lower, and the PIN still opens.
    static func partsKey(_ name: ItemName) -> TPMCounterKey { TPMCounterKey(purpose: "parts", name: name.text) }

    static let noMoreThan = TPM2_EO(TPM2_EO_UNSIGNED_LE)

    private static func slotFile(_ slot: Identifier, _ file: String) -> String { "\(file).\(slot.text)" }
}

extension TPMContext {
    /// Returns a session in which parts of a device secret open; nil if they were ended, which the TPM itself decides.
    fileprivate func session(
        whilePartsOf name: ItemName,
        _ policy: ItemPolicy,
        in parent: Parent,
        _ session: ESYS_TR
    ) throws(TPMFailure) -> ESYS_TR? {
        let counter = try writtenCounter(TPMStore.partsKey(name), session)
        // The other session is no longer needed, and a TPM without a resource manager may have no room for two.
        try endSession()
        do {
            return try self.session(under: policy, counter, TPMStore.noMoreThan, in: parent)
        } catch {
            guard error.known == .policyOver else { throw error }
            return nil
        }
    }
}
