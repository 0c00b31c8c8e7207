import Foundation
import LocalAuthentication
import Security
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules

// Work on the keychain's queue.
extension AppleStore {
    /// Reads an item's record; nil when it is confirmed to be missing.
    ///
    /// - Throws: `.unavailable` also for a record of a later version, or one of the simulator on a device, since the
    ///   state of that item is unknown.
    func storedRecord(in rows: Rows) throws(DeviceRefusal) -> ItemRecord? {
        let stored = try keychain.confirming { () throws(KeychainFailure) in try keychain.value(of: rows.record) }
        guard let stored else { return nil }
        let record: ItemRecord
        do { record = try ItemRecord(parsing: Array(stored)) } catch { throw .unavailable }
        // An unguarded item that would be described as guarded must not be accepted on a device.
        guard record.carrier != .simulated || carrier == .simulated else { throw .unavailable }
        return record
    }

    /// Adds all of an item's rows, or none.
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

    /// Describes an item without a prompt; nil when it is certainly gone.
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
            // A key that works in a context in which no owner was recognised is unguarded.
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

    /// Decides about a row whose enclave lacks the key: the phone was erased, and a backup restored the row.
    ///
    /// This differs from a secret that was replaced by a new PIN, which leaves no row.
    ///
    /// - Returns: nil for an item, which is gone.
    /// - Throws: `.damaged` for a device secret.
    private func elsewhere(_ record: ItemRecord) throws(DeviceRefusal) -> ItemDescription? {
        guard record.kind != .deviceSecret else { throw .damaged }
        return nil
    }

    /// Opens an item; a guarded one needs a context in which the owner was recognised.
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

    /// Returns the secret that the enclave computes for an item, or that the keychain stores.
    func root(of record: ItemRecord, in rows: Rows, _ context: LAContext) throws(DeviceRefusal) -> SecretBytes {
        let code: UnderlyingCode?
        switch record.place {
        case .signer:
            throw .unclassified  // It only computes signatures.
        case .enclave(let key, _):
            do {
                return try key.secret(in: context)
            } catch {
                code = error.code
            }
            if record.access == .deviceOnly {
                guard try isGone(key) else { throw .unavailable.because(of: code) }
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
            } catch {
                code = error.code
            }
        }
        // The owner was recognised, or so the system says, and yet nothing opened. The code of that read can mean
        // almost anything, so the probe decides whether the item is dead. If it can't, the user is still asked for the
        // PIN (C16).
        let refusal: DeviceRefusal =
            switch try keychain.probe(rows.secret) {
            case .gone: .revoked
            // A policy with room for the passcode is also satisfied by a watch, for which no item has a flag here.
            case .guarded where record.access == .anyBiometryOrPasscode: .proofNotAccepted
            case .guarded, .open, .refused: .unclassified
            }
        throw refusal.because(of: code)
    }

    private func seal(
        _ secret: borrowing SecretBytes,
        in rows: Rows,
        kind: ItemRecord.Kind,
        access: AccessControl
    ) throws(DeviceRefusal) -> ItemRecord {
        let fresh = try translating { () throws(EnclaveKey.Failure) in try EnclaveKey.make(for: access) }
        // A device secret is the key's own output, and needs no box.
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
        // If the name is taken this throws before any row of its item is changed.
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
            // Both or none. If this cleanup fails, a record without a secret remains, which opens nothing.
            try? keychain.erase(rows.secret)
            try? keychain.erase(rows.record)
            throw DeviceRefusal(error)
        }
    }

    /// Whether an unguarded key can't be used any more, while the enclave makes and uses others.
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

    /// Throws if nothing is enrolled, or there is no passcode, so that a guarded item could not be bound to anything.
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
        let refusal = DeviceRefusal(obstacle)
        switch refusal.meaning {
        case .notEnrolled, .hardwareMissing: throw refusal
        // A finger or face is enrolled, even if it can't be recognised now.
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

    /// Returns the header that binds a box to its name and access control.
    private static func header(_ rows: Rows, _ access: AccessControl) -> [UInt8] {
        Array("thumbturn.v1.apple-item".utf8) + [access.rawValue] + Array(rows.record.name.utf8)
    }
}

extension SecretBytes {
    /// Copies the keychain's output; its own copy is out of our reach.
    fileprivate init(_ stored: Data) {
        self = unsafe SecretBytes(byteCount: stored.count) { buffer in unsafe buffer.copyBytes(from: stored) }
    }
}
