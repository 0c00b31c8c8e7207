package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A secure store for a machine without a TPM: files that only their owner may read.
///
/// **The files hold the secrets unencrypted.** Only the system's file permissions guard them, so someone who steals the
/// disk has them; the store's assurance says so. A guarded item asks for a finger only in the sense that this process
/// prompts before it reads the file. A record names the machine, so that a copy on another one reads as absent: that
/// prevents an accident, but does not stop an attacker who can write a file. If the system has no machine name
/// (machine-id(5)), the name is a file in the folder, and a copy of the folder includes it.
///
/// Nothing here counts guesses, and nothing enforces a lease.
package struct FileStore: ItemStore, UncountedDeviceSecrets, DeviceKeyStore {
    let folder: PrivateFolder
    let thread = WorkThread()
    private let machine: MachineHome
    private let gate: OwnerGate

    /// Opens the store.
    ///
    /// - Parameters:
    ///   - folder: the user's own, in an existing parent; it holds nothing else.
    ///   - machineID: the file that names the machine, at most 16 KiB; it may be missing.
    /// - Throws: `.unavailable` when the folder can't be used, or the machine's name can't be read.
    init(folder: String, machineID: String, gate: OwnerGate) throws(DeviceRefusal) {
        self.folder = try PrivateFolder(creating: folder)
        machine = try MachineHome(naming: machineID, in: self.folder)
        self.gate = gate
    }

    /// The anchors that belong to this store's device secrets.
    package var anchor: FileAnchor { FileAnchor(folder: folder, thread: thread, machine: machine) }

    /// Returns `.softwareFile` for any access.
    package func assurance(of access: AccessControl) -> Assurance { .softwareFile }

    /// False: nothing makes a file expire.
    package var keepsLeases: Bool { false }

    /// Stores a new item.
    ///
    /// - Throws: as `SecureStore` documents; `.hardwareMissing` for `.anyBiometryOrPasscode`, since Linux has no
    ///   passcode to accept instead of a finger; `.unclassified` for a name that was used before, which is our own bug.
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
            let set = try await gate.setOfNew(name, in: folder, on: thread)
            try await add(secret, as: name, ItemRecord(kind: .item, home: machine.home, enrolledSet: set))
        }
    }

    /// Reads an item.
    ///
    /// A guarded one prompts once; if it belongs to another enrolled set, its secret is removed.
    ///
    /// - Throws: as `SecureStore` documents.
    package func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        let file = try await readable(name)
        guard file.record.enrolledSet != nil else { return file.secret.copy() }
        try await gate.prompt(prompt)
        // While the prompt was waiting for the reader, another finger could be enrolled there (A28), or another process
        // may have ended the item.
        return try await readable(name).secret.copy()
    }

    /// Reads the file of an item.
    ///
    /// An item made for another enrolled set than the present one is ended, and `.revoked` is thrown.
    private func readable(_ name: ItemName) async throws(DeviceRefusal) -> Found {
        guard let file = try await file(of: name), file.record.kind == .item else { throw .absent }
        guard let set = file.record.enrolledSet else { return file }
        if !set.isEmpty, try await gate.isStill(set) { return file }
        try await end(name)
        throw .revoked
    }

    /// Describes an item, a device secret or a device key, and removes the secret of an item of another enrolled set.
    ///
    /// While the enrolled set is unknown, an item is described; no finger can open it meanwhile.
    ///
    /// - Throws: `.damaged`, or `.unavailable` when the state is unknown.
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

    /// Deletes an item, a device secret or a device key; its bytes stay on the disk until the disk reuses their place.
    package func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try await thread.run { () throws(DeviceRefusal) in
            guard let file = name.fileName else { return }
            try folder.withLock { folder throws(DeviceRefusal) in try folder.removeItem(file) }
        }
    }

    /// Makes a device secret of 32 random bytes.
    ///
    /// - Throws: as `SecureStore` documents; `.unclassified` for a name that was used before.
    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        let secret = HeldSecret(.random(byteCount: 32))
        try await add(secret, as: name, ItemRecord(kind: .deviceSecret, home: machine.home))
    }

    /// Returns HMAC-SHA-256 of `input` under a device secret.
    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        guard let file = try await file(of: name), file.record.kind == .deviceSecret else { throw .absent }
        return HMACSHA256.secret(of: input, key: file.secret)
    }

    /// Makes a key whose private scalar is kept in the file.
    ///
    /// - Throws: as `SecureStore` documents; `.unclassified` for a name that was used before.
    package func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let key = try P256PrivateKey.makeForDevice()
        let scalar = HeldSecret(key.withScalar { SecretBytes(copying: $0) })
        try await add(scalar, as: name, ItemRecord(kind: .deviceKey, home: machine.home))
        return key.publicKey
    }

    /// Computes the public half of a key.
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

    /// Ends an item: its secret is removed, and its enrolled set becomes empty, which matches none.
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
                // The folder was a TPM store's: the state of its items is unknown.
                guard file.record.sealed == nil else { throw .unavailable }
                return try machine.isHome(of: file.record) ? Found(file) : nil
            }
        }
    }

    private func add(_ secret: HeldSecret, as name: ItemName, _ record: ItemRecord) async throws(DeviceRefusal) {
        let file = try name.newFileName()
        try await thread.run { () throws(DeviceRefusal) in
            try folder.withLock { folder throws(DeviceRefusal) in
                try folder.requireFree(file)
                try folder.add(record, tail: secret.bytes, as: file)
            }
        }
    }
}
