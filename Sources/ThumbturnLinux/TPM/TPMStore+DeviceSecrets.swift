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
                // Its anchor, which the vault makes next, needs the owner's authorisation.
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
        // A TPM takes 1,024 bytes in one command; a digest always fits.
        let digest = SHA256.digest(Array("thumbturn.v1.linux-device-secret\0".utf8), input)
        return try sparing(record) { () throws(DeviceRefusal) in
            try talk { context throws(TPMFailure) in
                let parent = try context.parent(named: record.home)
                let session = try context.session(with: parent)
                return try context.hmac(try context.load(sealed, in: parent), session, digest)
            }
        }
    }

    func addSlot(
        _ slot: Identifier,
        of name: ItemName,
        _ authorisation: borrowing SecretBytes
    ) throws(DeviceRefusal) {
        guard let file = name.fileName else { throw .absent }
        guard 1...32 ~= authorisation.byteCount else { throw .unclassified }
        let authorisation = authorisation.copy()
        try folder.withLock { folder throws(DeviceRefusal) in
            guard let secret = try folder.sealedRecord(file, .deviceSecret) else { throw .absent }
            try folder.requireFree(Self.slotFile(slot, file))
            let record = try tpm.talk { context throws(TPMFailure) in
                // The one secret that a person could guess goes to the TPM that has the rest, and to no other.
                let parent = try context.parent(named: secret.home)
                let session = try context.session(with: parent)
                try tpm.look(in: context, session)
                let part = SecretBytes.random(byteCount: 32)
                let sealed = try context.seal(part, under: .counted, counted: authorisation, in: parent, session)
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
        let part = try folder.withLock { folder throws(DeviceRefusal) in
            guard let record = try folder.sealedRecord(Self.slotFile(slot, file), .slotSecret),
                let sealed = record.sealed
            else { throw .absent }
            return try sparing(record) { () throws(DeviceRefusal) in
                try tpm.talk { context throws(TPMFailure) in
                    let parent = try context.parent(named: record.home)
                    let session = try context.session(with: parent)
                    // Whoever took its lockout password away since the PIN was chosen shows at each unlock.
                    try tpm.look(in: context, session, knowsMaker: true)
                    let object = try context.load(sealed, in: parent)
                    try context.setAuthorisation(of: object, authorisation)
                    return try context.unseal(object, session)
                }
            }
        }
        return HMACSHA256.secret(of: input, key: part)
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

    private static func slotFile(_ slot: Identifier, _ file: String) -> String { "\(file).\(slot.text)" }
}
