import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The secure store of Apple's devices: a record for each item, and a second row for a guarded one.
///
/// With a Secure Enclave, a key in it seals each item, under the item's access control. The second row then contains no
/// secret, and has one purpose: it ends when the enrolled set changes, which can be seen without a prompt. Without an
/// enclave the second row is the secret.
struct AppleStore: ItemStore, UncountedDeviceSecrets, DeviceKeyStore {
    let keychain: Keychain
    let carrier: Carrier

    func assurance(of access: AccessControl) -> Assurance { carrier.assurance }

    /// False: no row of the keychain ends at a boot or a time.
    var keepsLeases: Bool { false }

    func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        let secret = HeldSecret(secret.copy())
        try await keychain.run { () throws(DeviceRefusal) in
            try save(secret.bytes, in: rows(of: name), kind: .item, access: access)
        }
    }

    func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        let rows = rows(of: name)
        let record = try await keychain.run { () throws(DeviceRefusal) -> ItemRecord? in try storedRecord(in: rows) }
        guard let record, record.kind == .item else { throw .absent }
        guard record.access != .deviceOnly else {
            return try await keychain.run { () throws(DeviceRefusal) -> HeldSecret in
                HeldSecret(try open(record, in: rows, .quiet()))
            }.bytes.copy()
        }
        return try await OwnerContext.asking(for: record.access, prompt) { owner async throws(DeviceRefusal) in
            try await keychain.run { () throws(DeviceRefusal) -> HeldSecret in
                HeldSecret(try open(record, in: rows, owner.context))
            }.bytes.copy()
        }
    }

    func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        try await keychain.run { () throws(DeviceRefusal) in try describe(rows(of: name)) }
    }

    func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await keychain.run { () throws(DeviceRefusal) in
            let rows = rows(of: name)
            // The record last: after a crash in between, a later call must still find the rest.
            try keychain.erase(rows.secret)
            try keychain.erase(rows.record)
        }
    }

    func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        try await keychain.run { () throws(DeviceRefusal) in
            try save(.random(byteCount: 32), in: rows(of: name), kind: .deviceSecret, access: .deviceOnly)
        }
    }

    func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await keychain.run { () throws(DeviceRefusal) -> HeldSecret in
            let rows = rows(of: name)
            guard let record = try storedRecord(in: rows), record.kind == .deviceSecret else { throw .absent }
            let root = try root(of: record, in: rows, .quiet())
            return HeldSecret(
                try translating { () throws(CryptoError) in
                    try HKDFSHA256.derive(
                        from: root,
                        salt: Array(name.text.utf8),
                        info: Array("thumbturn.v1.apple-device-secret".utf8) + [0] + input
                    )
                }
            )
        }.bytes.copy()
    }

    /// The two rows of one item.
    struct Rows: Hashable, Sendable {
        let record: Keychain.Row
        let secret: Keychain.Row
    }

    func rows(of name: ItemName) -> Rows {
        Rows(record: Keychain.Row(kind: .record, name: name.text), secret: Keychain.Row(kind: .secret, name: name.text))
    }
}

/// Runs `body` and maps its errors to ours: a box that does not open was not ours, or is garbled.
func translating<R: ~Copyable>(_ body: () throws(CryptoError) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw .unclassified }
}

/// Runs `body` and maps its errors to ours: an enclave that fails to make a key says nothing about another one.
func translating<R: ~Copyable>(_ body: () throws(EnclaveKey.Failure) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw .unavailable.because(of: error.code) }
}

/// Runs `body` and maps its errors to ours.
func translating<R>(_ body: () throws(KeychainFailure) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw DeviceRefusal(error) }
}
