public import ThumbturnCrypto
public import ThumbturnDevice
public import ThumbturnRules

extension SimulatedDevice: ItemStore {
    /// Returns `.simulated`: a simulation guards nothing.
    package func assurance(of access: AccessControl) -> Assurance { .simulated }

    /// False: nothing makes an item expire.
    package var keepsLeases: Bool { false }

    /// Stores a new item.
    ///
    /// - Throws: as `SecureStore` documents; `.unclassified` for a name that was used before, which is our own bug.
    public func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl
    ) async throws(DeviceRefusal) {
        try await save(secret, as: name, access: access, lease: nil)
    }

    /// Stores a new item; ignores the lease.
    ///
    /// - Throws: as `SecureStore` documents.
    package func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        let stored = HeldSecret(secret.copy())
        try call(.save(name)) { state throws(DeviceRefusal) in try state.save(stored, as: name, access: access) }
    }

    /// Reads an item.
    ///
    /// A device secret or a device key can't be read: as an item it is `.absent`.
    public func read(_ name: ItemName, prompt text: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        switch try call(.read(name), { state throws(DeviceRefusal) in try state.read(name, prompt: text) }) {
        case .secret(let stored): return stored.bytes.copy()
        case .waiting(let prompt):
            return try await answered(prompt) { state throws(DeviceRefusal) in try state.release(name) }.bytes.copy()
        }
    }

    /// Describes an item, a device secret or a device key; the latter two as `.deviceOnly`.
    package func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        try call(.describe(name)) { state throws(DeviceRefusal) in try state.describe(name) }
    }

    /// Deletes an item, a device secret or a device key, and what is remembered about it.
    public func delete(_ name: ItemName) async throws(DeviceRefusal) {
        try call(.delete(name)) { state throws(DeviceRefusal) in try state.delete(name) }
    }
}

extension SimulatedDevice: UncountedDeviceSecrets {
    /// Makes a device secret of 32 random bytes.
    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        let stored = HeldSecret(.random(byteCount: 32))
        try call(.makeDeviceSecret(name)) { state throws(DeviceRefusal) in
            try state.save(stored, as: name, access: .deviceOnly, kind: .deviceSecret)
        }
    }

    /// Returns HMAC-SHA-256 of `input` under a device secret.
    ///
    /// An item that can be read is not a device secret: `.absent`.
    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        let stored = try call(.evaluate(name)) { state throws(DeviceRefusal) in try state.deviceSecret(name) }
        return HMACSHA256.secret(of: input, key: stored.bytes)
    }
}

extension SimulatedDevice: DeviceKeyStore {
    /// Makes a key whose private scalar is stored with the items.
    package func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let key = try P256PrivateKey.makeForDevice()
        let stored = HeldSecret(key.withScalar { SecretBytes(copying: $0) })
        try call(.makeDeviceKey(name)) { state throws(DeviceRefusal) in
            try state.save(stored, as: name, access: .deviceOnly, kind: .deviceKey)
        }
        return key.publicKey
    }

    /// Computes the public half of a key.
    package func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let stored = try call(.devicePublicKey(name)) { state throws(DeviceRefusal) in try state.deviceKey(name) }
        return try P256PrivateKey(keptByDevice: stored.bytes).publicKey
    }

    /// Signs in software.
    package func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        let stored = try call(.sign(name)) { state throws(DeviceRefusal) in
            state.counts.signatures += 1
            return try state.deviceKey(name)
        }
        return try P256PrivateKey(keptByDevice: stored.bytes).signature(forDevice: message)
    }
}

extension SimulatedDevice: OwnerPrompt {
    /// Checks the sensor; a device that can't be asked is `temporarilyUnavailable`.
    public func capability() async -> BiometricCapability {
        do {
            return try call(.capability) { state in state.capability() }
        } catch {
            return BiometricCapability(
                biometryType: lastKnownBiometryType,
                reasonIfUnavailable: .temporarilyUnavailable,
                assurance: .simulated
            )
        }
    }

    /// Shows a prompt for a finger or face.
    public func prompt(_ text: PromptText) async throws(DeviceRefusal) {
        try await prompt(text, acceptingPasscode: false)
    }

    /// Shows a prompt for a finger or face, or the passcode if that is accepted.
    package func prompt(_ text: PromptText, acceptingPasscode: Bool) async throws(DeviceRefusal) {
        let end = try call(.prompt) { state throws(DeviceRefusal) in
            try state.requireProtectedData()
            return try state.prompt(text, for: acceptingPasscode ? .anyBiometryOrPasscode : .currentBiometrySet)
        }
        switch end {
        case .recognised, .hooked: return
        case .waiting(let prompt): try await answered(prompt) { _ in }
        }
    }
}

extension SimulatedDevice: Anchor {
    /// Reads an anchor.
    package func position(for secret: ItemName) async throws(DeviceRefusal) -> LedgerPosition? {
        try call(.anchorPosition(secret)) { state throws(DeviceRefusal) in try state.anchorPosition(for: secret) }
    }

    /// Moves an anchor.
    package func move(
        from former: LedgerPosition?,
        to next: LedgerPosition,
        for secret: ItemName
    ) async throws(DeviceRefusal) -> Bool {
        try call(.anchorMove(secret)) { state throws(DeviceRefusal) in
            try state.moveAnchor(from: former, to: next, for: secret)
        }
    }

    /// Removes an anchor.
    package func remove(for secret: ItemName) async throws(DeviceRefusal) {
        try call(.anchorRemove(secret)) { state throws(DeviceRefusal) in try state.removeAnchor(for: secret) }
    }
}
