import CTSS2
import Glibc
package import ThumbturnCrypto
package import ThumbturnDevice
import ThumbturnFiles
package import ThumbturnRules

/// A secure store on a TPM 2.0: the TPM wraps each secret, and a folder keeps the blobs.
///
/// What the TPM prevents: a copy of the folder is useless on another machine; a PIN can't be tried without the TPM,
/// which counts attempts and locks itself; an item whose epoch, boot or lease is over stays shut, even if clocks, files
/// or this program are changed afterwards; an eavesdropper on the bus learns nothing, and an attacker who answers there
/// with a key of their own is refused.
///
/// What it does not: the TPM never sees the finger. This process opens a guarded item once the fingerprint service has
/// reported a match, so an attacker who controls that service, this process, or root can open it; so can any program of
/// a user who may use `/dev/tpmrm0` and read the folder. A changed set of fingers is noticed by software, when an item
/// is next read or described. A new item trusts the TPM that answers; every later use requires the same one.
///
/// tpm2-tss does not wipe the secrets it frees, and a library must not change its host app's heap: such copies stay
/// until the memory is reused. In the command, glibc overwrites them: `M_PERTURB` is set for the whole process while a
/// call ends, and unset afterwards.
///
/// Settings of the whole TPM are never changed: no password, no limit of its dictionary-attack lockout, no persistent
/// object. What needs a new counter needs an empty owner password, and is `unavailable` otherwise: the first
/// guarded item of a vault, every device secret, its parts and its anchor.
package struct TPMStore: SecureStore {
    let tpm: TPM
    let folder: PrivateFolder
    let gate: OwnerGate
    /// The folder's path, which names the counters of the whole folder.
    let folderPath: String

    /// Opens the store on a TPM whose properties were read.
    ///
    /// - Parameter folder: the user's own, in an existing parent; it holds nothing else.
    /// - Throws: `.unavailable` when the folder can't be used.
    init(on tpm: TPM, folder: String, gate: OwnerGate) throws(DeviceRefusal) {
        self.tpm = tpm
        self.folder = try PrivateFolder(creating: folder)
        // The canonical path: another spelling must not count as another folder, whose credentials would be revoked.
        guard let path = unsafe realpath(folder, nil) else { throw .unavailable }
        defer { unsafe free(path) }
        folderPath = unsafe String(cString: path)
        self.gate = gate
    }

    /// The TPM's properties as last read: at the start, whenever a device secret or a slot's part of one is made, and
    /// at each unlock with such a part.
    package var properties: TPMProperties? { tpm.seen.change { $0 } }

    /// The anchors that belong to this store's device secrets.
    package var anchor: TPMAnchor { TPMAnchor(tpm: tpm, folder: folder) }

    /// Returns `.hardwareBound` on a chip, and `.softwareFile` on a TPM that may be a program; for items that a PIN
    /// guards also on a chip that is not known to count guesses.
    package func assurance(of access: AccessControl) -> Assurance {
        switch access {
        case .deviceOnly: properties?.assuranceOfPIN ?? .softwareFile
        case .currentBiometrySet, .anyBiometryOrPasscode: properties?.assuranceOfKey ?? .softwareFile
        }
    }

    /// True: the TPM ends an item at a reboot or by its clock.
    package var keepsLeases: Bool { true }

    /// Stores a new item of at most 128 bytes, until its lease is over.
    ///
    /// - Throws: as `SecureStore` documents; `.hardwareMissing` for `.anyBiometryOrPasscode`, since Linux has no
    ///   passcode to accept instead of a finger; `.unclassified` for a name that was used before, or a lease of an item
    ///   that no finger guards: our own bugs.
    package func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        let secret = HeldSecret(secret.copy())
        switch access {
        case .anyBiometryOrPasscode:
            throw .hardwareMissing
        case .deviceOnly:
            guard lease == nil else { throw .unclassified }
            try await onThread { store throws(DeviceRefusal) in try store.add(secret.bytes, as: name) }
        case .currentBiometrySet:
            let set = try await gate.setOfNew(name, in: folder, on: tpm.thread)
            try await onThread { store throws(DeviceRefusal) in
                try store.add(secret.bytes, as: name, for: set, lease)
            }
        }
    }

    /// Reads an item.
    ///
    /// A guarded one prompts once, unless it is known to be over already.
    ///
    /// - Throws: as `SecureStore` documents. `.absent` also for an item of another TPM, or of one that was cleared;
    ///   `.revoked` for one whose set or epoch is over, and for a guarded one whose blob is damaged; `.lockedOut` for
    ///   one whose boot or lease is over; `.damaged` for any other damage.
    package func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        let record = try await onThread { store throws(DeviceRefusal) in try store.record(of: name, .item) }
        guard let record else { throw .absent }
        guard let set = record.enrolledSet else { return try await open(record, of: name) }
        guard try await requireUnrevoked(record, of: name, isOfThisSet: gate.isStill(set)) else { throw .lockedOut }
        // The user may take a while, and other programs need the TPM meanwhile.
        await tpm.pause()
        try await gate.prompt(prompt)
        // While the prompt was waiting for the reader, another finger could be enrolled there (A28). Check while the
        // TPM works.
        async let isStill = gate.answer(set)
        let secret = try await open(record, of: name)
        if try await !isStill.get() { _ = try await requireUnrevoked(record, of: name, isOfThisSet: false) }
        return secret
    }

    private func open(_ record: ItemRecord, of name: ItemName) async throws(DeviceRefusal) -> SecretBytes {
        try await onThread { store throws(DeviceRefusal) in HeldSecret(try store.open(record, of: name)) }.bytes
            .copy()
    }

    private func requireUnrevoked(
        _ record: ItemRecord,
        of name: ItemName,
        isOfThisSet: Bool
    ) async throws(DeviceRefusal) -> Bool {
        try await onThread { store throws(DeviceRefusal) in
            try store.requireUnrevoked(record, of: name, isOfThisSet: isOfThisSet)
        }
    }

    /// Describes an item, a device secret or a device key, by what the TPM says of its blob.
    ///
    /// While the enrolled set is unknown, an item that the TPM would open is described; no finger can open it
    /// meanwhile.
    ///
    /// - Throws: `.damaged`, also for a device secret of another TPM; `.unavailable` when the state is unknown.
    package func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        do {
            let record = try await onThread { store throws(DeviceRefusal) in try store.record(of: name, nil) }
            guard let record else { return nil }
            // Read the enrolled set while the TPM works.
            async let mayStillBe = gate.mayStillBe(record.enrolledSet)
            let description = try await onThread { store throws(DeviceRefusal) in
                try store.describe(record, of: name)
            }
            if await !mayStillBe { _ = try await requireUnrevoked(record, of: name, isOfThisSet: false) }
            return description
        } catch {
            guard error != .absent, error != .revoked else { return nil }
            throw error == .damaged ? .damaged : .unavailable
        }
    }

    /// Deletes an item, a device key, or a device secret with the parts of its slots.
    ///
    /// Deleting the last guarded item of a vault first raises the epoch, which ends every copy of its blobs.
    package func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await onThread { store throws(DeviceRefusal) in try store.remove(name) }
    }

    /// Makes a key for HMAC-SHA-256 that never leaves the TPM.
    ///
    /// - Throws: as `SecureStore` documents; `.unclassified` for a name that was used before.
    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        try await onThread { store throws(DeviceRefusal) in try store.addDeviceSecret(name) }
    }

    /// Computes HMAC-SHA-256 of SHA-256(`thumbturn.v1.linux-device-secret` ‖ 0 ‖ `input`) in the TPM.
    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await onThread { store throws(DeviceRefusal) in
            HeldSecret(try store.use(name, input: input))
        }.bytes.copy()
    }

    /// Seals 32 random bytes under the slot's authorisation, in an object whose wrong authorisations the TPM counts.
    ///
    /// - Throws: as `SecureStore` documents; `.unclassified` for a slot that already has its part, or an authorisation
    ///   that isn't 1 to 32 bytes.
    package func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {
        let authorisation = HeldSecret(authorisation.copy())
        try await onThread { store throws(DeviceRefusal) in
            try store.addSlot(slot, of: name, authorisation.bytes)
        }
    }

    /// Opens the slot's 32 bytes in the TPM, and returns HMAC-SHA-256 of `input` under them.
    package func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        let authorisation = HeldSecret(authorisation.copy())
        return try await onThread { store throws(DeviceRefusal) in
            HeldSecret(try store.use(slot, of: name, authorisation.bytes, input: input))
        }.bytes.copy()
    }

    /// Deletes the sealed parts of other slots.
    package func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal) {
        try await onThread { store throws(DeviceRefusal) in try store.removeParts(of: name, butFor: slots) }
    }

    func onThread<R: Sendable>(
        _ body: @escaping @Sendable (TPMStore) throws(DeviceRefusal) -> R
    ) async throws(DeviceRefusal) -> R {
        try await tpm.thread.run { () throws(DeviceRefusal) in try body(self) }
    }
}
