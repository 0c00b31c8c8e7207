package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A secure store for a machine without a TPM: files that only their owner may read.
///
/// **The secrets lie in the files as they are.** Nothing but the system's file permissions guards them, so a thief of the
/// disk has them, and its assurance says so. A finger guards an item in so far as this process asks for one before it
/// reads the file. A record names the machine, so that a copy on another one reads as absent; that stops an accident, but
/// not someone who can write a file. Where the system names none (machine-id(5)), the name lies in the folder, and a copy of
/// that has it too.
///
/// Nothing here counts guesses, and nothing keeps a lease.
package struct FileStore: ItemStore, UncountedDeviceSecrets, DeviceKeyStore {
    let folder: PrivateFolder
    let thread = WorkThread()
    private let machine: MachineHome
    private let gate: OwnerGate

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - folder: the user's own, in a parent that is there; nothing else lies in it.
    ///   - machineID: the file that names the machine, at most 16 KiB; it may be missing.
    ///   - prompt: asked once by each read of a guarded item.
    ///   - enrolledSet: a digest, at most 100 bytes, of who is enrolled; it throws `.notEnrolled` for nobody.
    ///   - lastSet: the same by the last look, for what may ask nobody; nil asks.
    /// - Throws: `.unavailable` when the folder can't be used, or what names the machine can't be read.
    package init(
        folder: String,
        machineID: String = "/etc/machine-id",
        prompt: any OwnerPrompt,
        enrolledSet: @escaping @Sendable () async throws(DeviceRefusal) -> [UInt8],
        lastSet: (@Sendable () async -> Result<[UInt8], DeviceRefusal>?)? = nil
    ) throws(DeviceRefusal) {
        self.folder = try PrivateFolder(creating: folder)
        machine = try MachineHome(naming: machineID, in: self.folder)
        gate = OwnerGate(enrolledSet: enrolledSet, lastSet: lastSet, owner: prompt)
    }

    /// The counters that go with this store's device secrets.
    package var anchor: FileAnchor { FileAnchor(folder: folder, thread: thread, machine: machine) }

    /// `.softwareFile`, whatever the access.
    package func assurance(of access: AccessControl) -> Assurance { .softwareFile }

    /// No file ends by itself.
    package var keepsLeases: Bool { false }

    /// Stores a new item.
    ///
    /// - Throws: as the seam says; `.hardwareMissing` for `.anyBiometryOrPasscode`, since nothing here takes a passcode for
    ///   a finger; `.unclassified` for a name that was used before, which is our own bug.
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
            try await add(secret, as: name, ItemRecord(kind: .item, home: machine.home))
        case .currentBiometrySet:
            let set = try await gate.setOfNew { () async throws(DeviceRefusal) in try await guardedSet(beside: name) }
            try await add(secret, as: name, ItemRecord(kind: .item, home: machine.home, enrolledSet: set))
        }
    }

    /// The set of the items that end together with one.
    private func guardedSet(beside name: ItemName) async throws(DeviceRefusal) -> [UInt8]? {
        try await thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in
                try folder.guardedItems(with: name).values.compactMap(\.enrolledSet).first { !$0.isEmpty }
            }
        }
    }

    /// Reads an item; a guarded one prompts once, and the secret of one of another set is removed.
    ///
    /// - Throws: as the seam says.
    package func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        let file = try await readable(name)
        guard file.record.enrolledSet != nil else { return file.secret.copy() }
        try await gate.prompt(prompt)
        // Until the prompt had the reader, somebody could enrol another finger there (A28); or another process ended the item.
        return try await readable(name).secret.copy()
    }

    /// The file of an item.
    ///
    /// One made for another set than the one that is enrolled now is ended, and `.revoked` is thrown.
    private func readable(_ name: ItemName) async throws(DeviceRefusal) -> Found {
        guard let file = try await file(of: name), file.record.kind == .item else { throw .absent }
        guard let set = file.record.enrolledSet else { return file }
        if !set.isEmpty, try await gate.isStill(set) { return file }
        try await end(name)
        throw .revoked
    }

    /// Describes an item, a device secret or a device key, and removes the secret of an item of another set.
    ///
    /// While the enrolled set is unknown, an item is described: no finger opens it meanwhile.
    ///
    /// - Throws: `.damaged`, `.unavailable` when nothing can be said.
    package func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        guard let record = try await file(of: name)?.record else { return nil }
        if let set = record.enrolledSet {
            guard !set.isEmpty, await gate.mayStillBe(set) else {
                try await end(name)
                return nil
            }
        }
        return ItemDescription(access: record.access, staysOnDevice: true)
    }

    /// Deletes an item, a device secret or a device key; what was written stays on the disk until the disk uses its place again.
    package func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await thread.run { () throws(DeviceRefusal) in
            guard let file = name.fileName else { return }
            try folder.withLock { folder throws(DeviceRefusal) in try folder.removeItem(file) }
        }
    }

    /// Makes a device secret of 32 random bytes.
    ///
    /// - Throws: as the seam says; `.unclassified` for a name that was used before.
    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        let secret = HeldSecret(.random(byteCount: 32))
        try await add(secret, as: name, ItemRecord(kind: .deviceSecret, home: machine.home))
    }

    /// Uses a device secret: HMAC-SHA-256 of `input`.
    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        guard let file = try await file(of: name), file.record.kind == .deviceSecret else { throw .absent }
        return HMACSHA256.secret(of: input, key: file.secret)
    }

    /// Makes a key whose scalar lies in the file.
    ///
    /// - Throws: as the seam says; `.unclassified` for a name that was used before.
    package func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let key = try P256PrivateKey.makeForDevice()
        let scalar = HeldSecret(key.withScalar { SecretBytes(copying: $0) })
        try await add(scalar, as: name, ItemRecord(kind: .deviceKey, home: machine.home))
        return key.publicKey
    }

    /// The public half of a key, computed.
    package func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await deviceKey(name).publicKey
    }

    /// Signs in software.
    package func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await deviceKey(name).signature(forDevice: message)
    }

    private func deviceKey(_ name: ItemName) async throws(DeviceRefusal) -> P256PrivateKey {
        guard let file = try await file(of: name), file.record.kind == .deviceKey else { throw .absent }
        return try P256PrivateKey(keptByDevice: file.secret)
    }

    /// Leaves of an item that it was: its secret goes, and no set is the empty one.
    private func end(_ name: ItemName) async throws(DeviceRefusal) {
        try await thread.run { () throws(DeviceRefusal) in
            guard let file = name.fileName else { return }
            try folder.withLock { folder throws(DeviceRefusal) in
                guard try folder.contains(file) else { return }
                let ended = ItemRecord(kind: .item, home: machine.home, enrolledSet: [])
                try folder.replace(file, by: ended.file(named: file, tail: .none()))
            }
        }
    }

    /// A file, read.
    private final class Found: Sendable {
        let record: ItemRecord
        let secret: SecretBytes

        init(_ file: consuming ItemRecord.File) {
            record = file.record
            secret = file.tail.copy()
        }
    }

    private func file(of name: ItemName) async throws(DeviceRefusal) -> Found? {
        try await thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) -> Found? in
                guard let file = try folder.item(name.fileName) else { return nil }
                // A TPM's store lay here: nothing is known of its items.
                guard file.record.sealed == nil else { throw .unavailable }
                return try machine.isHome(of: file.record) ? Found(file) : nil
            }
        }
    }

    private func add(
        _ secret: HeldSecret,
        as name: ItemName,
        _ record: ItemRecord
    ) async throws(DeviceRefusal) {
        let file = try name.newFileName()
        try await thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in
                try folder.requireFree(file)
                try folder.add(record, tail: secret.bytes, as: file)
            }
        }
    }
}
