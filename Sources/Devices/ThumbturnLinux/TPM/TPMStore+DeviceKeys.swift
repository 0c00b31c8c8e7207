import CTSS2
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

// The device's own keys: the TPM generates them, signs with them, and never reveals them.
extension TPMStore {
    /// Makes a P-256 key that never leaves the TPM.
    ///
    /// - Throws: as `SecureStore` documents; `.unclassified` for a name that was used before.
    package func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await onThread { store throws(DeviceRefusal) in try store.addDeviceKey(name) }
    }

    /// Returns the public half of a key, once the TPM has loaded it.
    package func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await onThread { store throws(DeviceRefusal) in try store.publicKey(of: name) }
    }

    /// Signs in the TPM.
    package func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await onThread { store throws(DeviceRefusal) in try store.sign(SHA256.digest(message), by: name) }
    }
}

// On the TPM's thread.
extension TPMStore {
    private func addDeviceKey(_ name: ItemName) throws(DeviceRefusal) -> [UInt8] {
        let file = try name.newFileName()
        return try folder.withLock { folder throws(DeviceRefusal) in
            try folder.requireFree(file)
            let (record, publicKey) = try tpm.talk { context throws(TPMFailure) in
                let parent = try context.parent()
                let key = try context.makeSigningKey(in: parent, try context.session(with: parent))
                let record = ItemRecord(kind: .deviceKey, home: parent.name, sealed: key)
                return (record, try TPMContext.publicKey(of: key))
            }
            try folder.add(record, tail: .none(), as: file)
            return publicKey
        }
    }

    private func publicKey(of name: ItemName) throws(DeviceRefusal) -> [UInt8] {
        try withKey(name) { context, key, parent throws(TPMFailure) in
            // The TPM refuses a public half that belongs to another key.
            _ = try context.load(key, in: parent)
            return try TPMContext.publicKey(of: key)
        }
    }

    private func sign(_ digest: [UInt8], by name: ItemName) throws(DeviceRefusal) -> [UInt8] {
        try withKey(name) { context, key, parent throws(TPMFailure) in
            let session = try context.session(with: parent)
            return try context.sign(digest, by: try context.load(key, in: parent), session)
        }
    }

    private func withKey(
        _ name: ItemName,
        _ body: (TPMContext, SealedObject, TPMContext.Parent) throws(TPMFailure) -> [UInt8]
    ) throws(DeviceRefusal) -> [UInt8] {
        guard let record = try record(of: name, .deviceKey), let sealed = record.sealed else { throw .absent }
        return try sparing(record) { () throws(DeviceRefusal) in
            try talk { context throws(TPMFailure) in
                try body(context, sealed, try context.parent(named: record.home))
            }
        }
    }
}
