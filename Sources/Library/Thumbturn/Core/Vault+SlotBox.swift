import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// What the slot of an account's password keeps beside it, under the slot's device secret, and what that is bound to.
enum SlotBox {
    /// What opens without the service; in the epoch of the head.
    case offlineLogin(UInt64)
    /// What proves the service's answers; by the device's name there.
    case contactKey(Identifier)

    var purpose: [UInt8] {
        switch self {
        case .offlineLogin: Array("thumbturn.v1.offline-login".utf8)
        case .contactKey: Array("thumbturn.v1.contact-key".utf8)
        }
    }

    func associatedData(_ slot: SlotRecord) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeFixed(purpose)
        writer.writeFixed(slot.vault.bytes)
        writer.writeFixed(slot.id.bytes)
        switch self {
        case .offlineLogin(let epoch): writer.writeUInt64(epoch)
        case .contactKey(let device): writer.writeFixed(device.bytes)
        }
        return writer.bytes
    }
}

extension Vault {
    /// Nil where the device has the slot's secret no more.
    func seal(
        _ secret: borrowing SecretBytes,
        _ box: SlotBox,
        _ slot: SlotRecord
    ) async throws(VaultError) -> [UInt8]? {
        guard let item = slot.item, let key = try await device.use(item, on: box.purpose + slot.id.bytes) else {
            return nil
        }
        return try secret.withBytes { (bytes) throws(VaultError) in
            try translating { () throws(CryptoError) in
                try AES256GCM.seal(bytes, key: key, associatedData: box.associatedData(slot))
            }
        }
    }

    /// Nil where the device has the slot's secret no more, or this is not what was sealed.
    func open(_ sealed: [UInt8], _ box: SlotBox, _ slot: SlotRecord) async throws(VaultError) -> SecretBytes? {
        guard let item = slot.item, let key = try await device.use(item, on: box.purpose + slot.id.bytes) else {
            return nil
        }
        return try? AES256GCM.open(sealed, key: key, associatedData: box.associatedData(slot))
    }
}
