import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// What happens on the keychain's queue.
extension AppleStore {
    /// The record of an item; nil when it is confirmed not to be there.
    ///
    /// - Throws: `.unavailable` also for a record that a later version wrote, or on a device the simulator: nothing is known of
    ///   that item.
    func storedRecord(in rows: Rows) throws(DeviceRefusal) -> ItemRecord? {
        let stored = try keychain.confirming { () throws(KeychainFailure) in try keychain.value(of: rows.record) }
        guard let stored else { return nil }
        let record: ItemRecord
        do { record = try ItemRecord(parsing: Array(stored)) } catch { throw .unavailable }
        // What lies behind nothing, and would be described as guarded, has no business on a device.
        guard record.carrier != .simulated || carrier == .simulated else { throw .unavailable }
        return record
    }

    /// Adds an item's rows, or nothing.
    func save(
        _ secret: borrowing SecretBytes,
        in rows: Rows,
        kind: ItemRecord.Kind,
        access: AccessControl
    ) throws(DeviceRefusal) {
        try keychain.requireReadable()
        try requireSomethingToBindTo(access)
        switch carrier {
        case .enclave:
            let record = try seal(secret, in: rows, kind: kind, access: access)
            try add(record, to: rows)
            if access != .deviceOnly { try add(.marker, to: rows, under: access) }
        case .keychain:
            try add(ItemRecord(kind: kind, access: access, place: .row(.keychain)), to: rows)
            try add(secret, to: rows, under: access)
        case .simulated:
            try add(ItemRecord(kind: kind, access: access, place: .row(.simulated)), to: rows)
            try add(secret, to: rows, under: .deviceOnly)
        }
    }

    /// Looks at an item without a prompt; nil when it is gone for certain.
    func describe(_ rows: Rows) throws(DeviceRefusal) -> ItemDescription? {
        guard let record = try storedRecord(in: rows) else { return nil }
        let staysOnDevice = try keychain.confirming { () throws(KeychainFailure) in
            try keychain.staysOnDevice(rows.record)
        }
        guard let staysOnDevice else { return nil }
        var description = ItemDescription(access: record.access, staysOnDevice: staysOnDevice)
        if case .signer(let signer) = record.place { return try isGone { signer.isUsable } ? nil : description }
        if case .enclave(let key, _) = record.place {
            guard record.access != .deviceOnly else {
                guard try isGone(key) else { return description }
                return try elsewhere(record)
            }
            // A key that works for a context in which nobody was recognised is guarded by nobody.
            if isUsable(key) { description.access = .deviceOnly }
        }
        switch try keychain.probe(rows.secret) {
        case .gone:
            return nil
        case .refused:
            throw .unavailable
        case .guarded(let staysOnDevice):
            description.staysOnDevice = description.staysOnDevice && staysOnDevice
        case .open(let staysOnDevice):
            description.staysOnDevice = description.staysOnDevice && staysOnDevice
            // The simulator enforces no access control, and its assurance says so.
            if record.carrier != .simulated { description.access = .deviceOnly }
        }
        return description
    }

    /// What a row is whose enclave has no such key: the phone was erased, and the row came back with its backup.
    ///
    /// That is another thing than a secret which a new PIN let go, of which no row is left.
    ///
    /// - Returns: nil, for an item: it is gone.
    /// - Throws: `.damaged` for a device secret.
    private func elsewhere(_ record: ItemRecord) throws(DeviceRefusal) -> ItemDescription? {
        guard record.kind != .deviceSecret else { throw .damaged }
        return nil
    }

    /// Opens an item; a guarded one with a context in which the owner was recognised.
    func open(_ record: ItemRecord, in rows: Rows, _ context: LAContext) throws(DeviceRefusal) -> SecretBytes {
        let root = try root(of: record, in: rows, context)
        guard case .enclave(let key, let box) = record.place else { return root }
        return try translating { () throws(CryptoError) in
            try AES256GCM.open(
                box,
                key: Self.sealingKey(root, of: key),
                associatedData: Self.header(rows, record.access)
            )
        }
    }

    /// What the enclave computes for an item, or what the keychain keeps of it.
    func root(of record: ItemRecord, in rows: Rows, _ context: LAContext) throws(DeviceRefusal) -> SecretBytes {
        switch record.place {
        case .signer:
            throw .unclassified  // It computes nothing but signatures.
        case .enclave(let key, _):
            do {
                return try key.secret(in: context)
            } catch {}
            if record.access == .deviceOnly {
                guard try isGone(key) else { throw .unavailable }
                _ = try elsewhere(record)
                throw .absent
            }
        case .row(let carrier):
            guard carrier == .keychain, record.access != .deviceOnly else {
                let stored = try keychain.confirming { () throws(KeychainFailure) in
                    try keychain.value(of: rows.secret)
                }
                guard let stored else { throw .absent }
                return SecretBytes(stored)
            }
            do {
                return SecretBytes(try keychain.value(of: rows.secret, in: context))
            } catch {}
        }
        // The owner was recognised, or something says so, and yet nothing opened. The code of that read stands for almost
        // anything, so the probe decides whether the item is dead. Where it can't, the PIN is asked for all the same (C16).
        throw try keychain.probe(rows.secret) == .gone ? .revoked : .unclassified
    }

    private func seal(
        _ secret: borrowing SecretBytes,
        in rows: Rows,
        kind: ItemRecord.Kind,
        access: AccessControl
    ) throws(DeviceRefusal) -> ItemRecord {
        let fresh = try translating { () throws(EnclaveKey.Failure) in try EnclaveKey.make(for: access) }
        // A device secret is what the key computes, and needs no box.
        guard kind == .item else {
            return ItemRecord(kind: kind, access: access, place: .enclave(fresh.key, box: []))
        }
        let box = try translating { () throws(CryptoError) in
            let key = try Self.sealingKey(fresh.secret, of: fresh.key)
            return try secret.withBytes { bytes throws(CryptoError) in
                try AES256GCM.seal(bytes, key: key, associatedData: Self.header(rows, access))
            }
        }
        return ItemRecord(kind: kind, access: access, place: .enclave(fresh.key, box: box))
    }

    func add(_ record: ItemRecord, to rows: Rows) throws(DeviceRefusal) {
        let bytes = try translating { () throws(CryptoError) in try record.bytes }
        let value = unsafe SecretBytes(byteCount: bytes.count) { buffer in unsafe buffer.copyBytes(from: bytes) }
        // A name that is taken refuses here, before anything of its item is touched.
        try translating { () throws(KeychainFailure) in try keychain.add(value, as: rows.record) }
    }

    private func add(
        _ secret: borrowing SecretBytes,
        to rows: Rows,
        under access: AccessControl
    ) throws(DeviceRefusal) {
        do {
            try keychain.add(secret, as: rows.secret, under: access)
        } catch {
            // Both or none. What can't be taken back now is a record without a secret, which opens nothing.
            try? keychain.erase(rows.secret)
            try? keychain.erase(rows.record)
            throw DeviceRefusal(error)
        }
    }

    /// Whether a key that no owner guards is of no use any more, while the enclave makes and uses others.
    func isGone(_ isUsable: () -> Bool) throws(DeviceRefusal) -> Bool {
        guard !isUsable() else { return false }
        try keychain.requireReadable()
        guard EnclaveKey.enclaveWorks else { throw .unavailable }
        return !isUsable()
    }

    private func isGone(_ key: EnclaveKey) throws(DeviceRefusal) -> Bool { try isGone { isUsable(key) } }

    private func isUsable(_ key: EnclaveKey) -> Bool {
        let context = LAContext.quiet()
        defer { context.invalidate() }
        do {
            _ = try key.secret(in: context)
            return true
        } catch {
            return false
        }
    }

    /// Without somebody enrolled, or without a passcode, there is nothing that a guarded item could be bound to.
    private func requireSomethingToBindTo(_ access: AccessControl) throws(DeviceRefusal) {
        let policy: LAPolicy
        switch access {
        case .deviceOnly: return
        case .currentBiometrySet: policy = .deviceOwnerAuthenticationWithBiometrics
        case .anyBiometryOrPasscode: policy = .deviceOwnerAuthentication
        }
        let context = LAContext.quiet()
        defer { context.invalidate() }
        guard let obstacle = context.obstacle(to: policy) else { return }
        switch DeviceRefusal(obstacle) {
        case .notEnrolled: throw .notEnrolled
        case .hardwareMissing: throw .hardwareMissing
        // Somebody is enrolled, though nobody could be recognised now.
        default: break
        }
    }

    private static func sealingKey(_ root: borrowing SecretBytes, of key: EnclaveKey) throws(CryptoError) -> SecretBytes
    {
        try HKDFSHA256.derive(
            from: root,
            salt: SHA256.digest(key.peer, key.sealedKey),
            info: Array("thumbturn.v1.apple-item".utf8)
        )
    }

    /// Binds a box to its name and to what may open it.
    private static func header(_ rows: Rows, _ access: AccessControl) -> [UInt8] {
        Array("thumbturn.v1.apple-item".utf8) + [access.rawValue] + Array(rows.record.name.utf8)
    }
}

extension SecretBytes {
    /// Copies what the keychain gave out; its own copy is out of our reach.
    fileprivate init(_ stored: Data) {
        self = unsafe SecretBytes(byteCount: stored.count) { buffer in unsafe buffer.copyBytes(from: stored) }
    }
}
