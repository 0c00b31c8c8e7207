import CTSS2
import Glibc
package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A secure store on a TPM 2.0: the TPM wraps each secret, and a folder keeps the blobs.
///
/// What the TPM stops: a copy of the folder is of no use on another machine; a PIN can't be tried without the TPM, which
/// counts and locks itself; an item whose epoch, boot or lease is over stays shut, whatever happens to clocks, files and
/// this program afterwards; a listener on the bus hears nothing, and one who answers there with a key of his own is refused.
///
/// What it doesn't: it never sees the finger. A guarded item is opened by this process once the fingerprint service has
/// said "match", so whoever controls that service, this process, or root can open it; and so can any program of a user
/// who may use `/dev/tpmrm0` and read the folder. A changed set of fingers is noticed by software, when an item is next
/// read or described. A new item trusts the TPM that answers; every later use of it demands the same one.
///
/// What tpm2-tss frees of a secret it leaves as it is, and a library does not change the heap of the app that it is part of: such
/// copies stay until their place is used again. In the command they are overwritten by glibc: while a call ends,
/// `M_PERTURB` is set for the whole process, and unset afterwards.
///
/// Settings of the TPM as a whole are never changed: no password, no limit of its dictionary-attack lockout, no persistent
/// object. The owner hierarchy needs an empty password for what needs a new counter, which is the first guarded item of a
/// vault, every device secret, its parts and its anchor; else those are `unavailable`.
package struct TPMStore: SecureStore {
    let tpm: TPM
    let folder: PrivateFolder
    let gate: OwnerGate
    /// Names the folder, for what is counted for all of it.
    let folderPath: String

    /// Opens the store on a TPM that answers.
    ///
    /// - Parameters:
    ///   - tcti: the transport in tpm2-tss's words, never from the environment.
    ///   - folder: the user's own, in a parent that is there; nothing else lies in it.
    ///   - prompt: asked once by each read of a guarded item.
    ///   - enrolledSet: a digest, at most 100 bytes, of who is enrolled; it throws `.notEnrolled` for nobody.
    ///   - lastSet: the same by the last look, for what may ask nobody; nil asks.
    /// - Throws: `.hardwareMissing` without a transport, `.unavailable` when the TPM or the folder can't be used.
    package init(
        tcti: String = LinuxConfiguration.systemTPM,
        folder: String,
        prompt: any OwnerPrompt,
        enrolledSet: @escaping @Sendable () async throws(DeviceRefusal) -> [UInt8],
        lastSet: (@Sendable () async -> Result<[UInt8], DeviceRefusal>?)? = nil
    ) async throws(DeviceRefusal) {
        let tpm = try TPM(transport: tcti)
        _ = try await tpm.properties()
        try self.init(on: tpm, folder: folder, prompt: prompt, enrolledSet: enrolledSet, lastSet: lastSet)
    }

    /// Opens the store on a TPM that has told its properties.
    init(
        on tpm: TPM,
        folder: String,
        prompt: any OwnerPrompt,
        enrolledSet: @escaping @Sendable () async throws(DeviceRefusal) -> [UInt8],
        lastSet: (@Sendable () async -> Result<[UInt8], DeviceRefusal>?)? = nil
    ) throws(DeviceRefusal) {
        self.tpm = tpm
        self.folder = try PrivateFolder(creating: folder)
        // As the system knows it: another spelling of the path is no other folder, whose credentials would be revoked.
        guard let path = unsafe realpath(folder, nil) else { throw .unavailable }
        defer { unsafe free(path) }
        folderPath = unsafe String(cString: path)
        gate = OwnerGate(enrolledSet: enrolledSet, lastSet: lastSet, owner: prompt)
    }

    /// What a TPM says of itself, before there is a store.
    ///
    /// - Throws: as `init` does.
    package static func properties(
        tcti: String = LinuxConfiguration.systemTPM
    ) async throws(DeviceRefusal) -> TPMProperties {
        try await TPM(transport: tcti).properties()
    }

    /// What the TPM said of itself when it was last asked: at the beginning, whenever a device secret or a slot's part of one is
    /// made, and at each unlock with that.
    package var properties: TPMProperties? { tpm.seen.value }

    /// The counters that go with this store's device secrets.
    package var anchor: TPMAnchor { TPMAnchor(tpm: tpm, folder: folder) }

    /// How the TPM stands to wrong authorisations; nil when it can't be asked.
    package func lockout() async -> TPMLockout? { try? await tpm.lockout() }

    /// `.hardwareBound` on a chip, `.softwareFile` on what may be a program, and for what a PIN guards also on a chip that is
    /// not known to count guesses.
    package func assurance(of access: AccessControl) -> Assurance {
        switch access {
        case .deviceOnly: properties?.assuranceOfPIN ?? .softwareFile
        case .currentBiometrySet, .anyBiometryOrPasscode: properties?.assuranceOfKey ?? .softwareFile
        }
    }

    /// The TPM ends an item with its boot or by its clock.
    package var keepsLeases: Bool { true }

    /// Stores a new item of at most 128 bytes, until its lease is over.
    ///
    /// - Throws: as the seam says; `.hardwareMissing` for `.anyBiometryOrPasscode`, since nothing here takes a passcode for
    ///   a finger; `.unclassified` for a name that was used before, or a lease of an item that no finger guards: our own bugs.
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
            let set = try await gate.setOfNew { () async throws(DeviceRefusal) in try await guardedSet(beside: name) }
            try await onThread { store throws(DeviceRefusal) in
                try store.add(secret.bytes, as: name, for: set, lease)
            }
        }
    }

    /// The set of the items that end together with one.
    private func guardedSet(beside name: ItemName) async throws(DeviceRefusal) -> [UInt8]? {
        try await onThread { store throws(DeviceRefusal) in
            try store.folder.withLock { folder throws(DeviceRefusal) in
                try folder.guardedItems(with: name).values.compactMap(\.enrolledSet).first { !$0.isEmpty }
            }
        }
    }

    /// Reads an item; a guarded one prompts once, unless it is known to be over already.
    ///
    /// - Throws: as the seam says. `.absent` also for an item of another TPM, or of one that was cleared; `.revoked` for one
    ///   whose set or epoch is over, and for a guarded one whose blob is damaged; `.lockedOut` for one whose boot or lease is
    ///   over; `.damaged` for any other damage.
    package func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        let record = try await onThread { store throws(DeviceRefusal) in try store.record(of: name, .item) }
        guard let record else { throw .absent }
        guard let set = record.enrolledSet else { return try await open(record, of: name) }
        guard try await requireUnrevoked(record, of: name, isOfThisSet: gate.isStill(set)) else { throw .lockedOut }
        // A finger may be long in coming, and others use the TPM meanwhile.
        await tpm.pause()
        try await gate.prompt(prompt)
        // Until the prompt had the reader, somebody could enrol another finger there (A28). Asked while the TPM works.
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
    /// While the enrolled set is unknown, an item that the TPM would open is described: no finger opens it meanwhile.
    ///
    /// - Throws: `.damaged`, also for a device secret of another TPM; `.unavailable` when nothing can be said.
    package func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        do {
            let record = try await onThread { store throws(DeviceRefusal) in try store.record(of: name, nil) }
            guard let record else { return nil }
            // Who is enrolled is asked while the TPM looks.
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
    /// With the last guarded item of a vault every copy of its blobs that was ever made ends: the epoch is raised first.
    package func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await onThread { store throws(DeviceRefusal) in try store.remove(name) }
    }

    /// Makes a key for HMAC-SHA-256 that never leaves the TPM.
    ///
    /// - Throws: as the seam says; `.unclassified` for a name that was used before.
    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        try await onThread { store throws(DeviceRefusal) in try store.addDeviceSecret(name) }
    }

    /// Lets the TPM compute HMAC-SHA-256 of SHA-256(`thumbturn.v1.linux-device-secret` ‖ 0 ‖ `input`).
    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await onThread { store throws(DeviceRefusal) in
            HeldSecret(try store.use(name, input: input))
        }.bytes.copy()
    }

    /// Seals 32 random bytes under the slot's authorisation, as an object whose wrong authorisations the TPM counts.
    ///
    /// - Throws: as the seam says; `.unclassified` for a slot that has its part already, or an authorisation that isn't 1 to
    ///   32 bytes.
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

    /// Lets the TPM open the slot's 32 bytes, and gives HMAC-SHA-256 of `input` under them.
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
