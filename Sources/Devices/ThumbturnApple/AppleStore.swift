import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

/// The secure store of Apple's devices: a record and, where somebody guards it, a second row for each item.
///
/// Where there is a Secure Enclave, a key in it seals each item, under the access control of the item. The second row then
/// holds nothing, and has one use: it ends when the enrolled set changes, and that shows without a prompt. Where there is
/// no enclave the second row is the secret.
struct AppleStore: ItemStore, UncountedDeviceSecrets, DeviceKeyStore {
    let keychain: Keychain
    let carrier: Carrier

    func assurance(of access: AccessControl) -> Assurance { carrier.assurance }

    /// A boot or a time ends no row of the keychain.
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
            // The record last: what is left of an item after a crash must still be found.
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
        Rows(
            record: Keychain.Row(kind: .record, name: name.text),
            secret: Keychain.Row(kind: .secret, name: name.text)
        )
    }
}

/// Runs `body` and gives what it throws our words: a box that does not open was not ours, or is garbled.
func translating<R: ~Copyable>(_ body: () throws(CryptoError) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw .unclassified }
}

/// Runs `body`; an enclave that makes no key says nothing of the one that is wanted.
func translating<R: ~Copyable>(_ body: () throws(EnclaveKey.Failure) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw .unavailable }
}

/// Runs `body` and gives what it throws our words.
func translating<R>(_ body: () throws(KeychainFailure) -> R) throws(DeviceRefusal) -> R {
    do { return try body() } catch { throw DeviceRefusal(error) }
}
