import ThumbturnBase
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// Data stored beside the slot of an account's password, sealed under its device secret, and what it is bound to.
enum SlotBox {
    /// The offline login, bound to the head's policy epoch.
    case offlineLogin(UInt64)
    /// The key that proves the service's answers, bound to the device's id there.
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
    /// Seals data under a slot's device secret; returns nil when the device has lost that secret.
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

    /// Opens sealed data; returns nil when the device has lost the slot's secret, or the data is not what was sealed.
    func open(_ sealed: [UInt8], _ box: SlotBox, _ slot: SlotRecord) async throws(VaultError) -> SecretBytes? {
        guard let item = slot.item, let key = try await device.use(item, on: box.purpose + slot.id.bytes) else {
            return nil
        }
        return try? AES256GCM.open(sealed, key: key, associatedData: box.associatedData(slot))
    }
}
