package import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnRules

/// A store that forwards each call, so that a test double only implements what it changes.
package protocol ForwardingStore: ItemStore, DeviceSecretStore, DeviceKeyStore {
    /// The store that receives the calls.
    var store: any SecureStore { get }
}

extension ForwardingStore {
    package var keepsLeases: Bool { store.keepsLeases }

    package func assurance(of access: AccessControl) -> Assurance { store.assurance(of: access) }

    package func save(
        _ secret: borrowing SecretBytes,
        as name: ItemName,
        access: AccessControl,
        lease: ItemLease?
    ) async throws(DeviceRefusal) {
        try await store.save(secret, as: name, access: access, lease: lease)
    }

    package func read(_ name: ItemName, prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        try await store.read(name, prompt: prompt)
    }

    package func describe(_ name: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        try await store.describe(name)
    }

    package func delete(_ name: ItemName) async throws(DeviceRefusal) { try await store.delete(name) }

    package func makeDeviceSecret(_ name: ItemName) async throws(DeviceRefusal) {
        try await store.makeDeviceSecret(name)
    }

    package func evaluate(_ name: ItemName, input: [UInt8]) async throws(DeviceRefusal) -> SecretBytes {
        try await store.evaluate(name, input: input)
    }

    package func guardDeviceSecret(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes
    ) async throws(DeviceRefusal) {
        try await store.guardDeviceSecret(name, for: slot, with: authorisation)
    }

    package func evaluate(
        _ name: ItemName,
        for slot: Identifier,
        with authorisation: borrowing SecretBytes,
        input: [UInt8]
    ) async throws(DeviceRefusal) -> SecretBytes {
        try await store.evaluate(name, for: slot, with: authorisation, input: input)
    }

    package func keepParts(of name: ItemName, for slots: [Identifier]) async throws(DeviceRefusal) {
        try await store.keepParts(of: name, for: slots)
    }

    package func makeDeviceKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await store.makeDeviceKey(name)
    }

    package func devicePublicKey(_ name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await store.devicePublicKey(name)
    }

    package func sign(_ message: [UInt8], with name: ItemName) async throws(DeviceRefusal) -> [UInt8] {
        try await store.sign(message, with: name)
    }
}
