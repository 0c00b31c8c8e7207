package import ThumbturnCrypto
package import ThumbturnDevice
import ThumbturnRules

/// A former app's wallet in items that one of our `SecureStore`s created.
///
/// An item that another library put into Apple's keychain is absent to this store. Read such an item through a
/// ``LegacyWallet`` of your own; the documentation shows one.
package struct LegacyItems: LegacyWallet {
    private let store: any SecureStore
    private let sealed: ItemName?
    private let biometric: ItemName?
    private let holds: LegacyBiometric

    /// Creates the wallet from its items' names.
    ///
    /// - Parameters:
    ///   - store: the device's store.
    ///   - sealed: the item sealed under the PIN, readable without a prompt; nil when the former app had none.
    ///   - biometric: the item behind biometrics; nil when the former app had none.
    ///   - holds: the content of `biometric`.
    package init(
        in store: any SecureStore,
        sealed: ItemName?,
        biometric: ItemName?,
        holding holds: LegacyBiometric = .mnemonic
    ) {
        self.store = store
        self.sealed = sealed
        self.biometric = biometric
        self.holds = holds
    }

    /// True: only this store can be used to guess.
    package var countsGuesses: Bool { true }

    /// Reads the item that is sealed under the PIN.
    ///
    /// - Throws: `.unavailable`, and `.unclassified` for an item that would prompt.
    package func readSealed() async throws(DeviceRefusal) -> SecretBytes? {
        guard let sealed, let description = try await describe(sealed) else { return nil }
        guard description.access == .deviceOnly else { throw .unclassified }
        do throws(DeviceRefusal) {
            return try await store.read(sealed, prompt: PromptText(reason: "read the former wallet"))
        } catch .absent {
            // It existed just now: a single answer is not enough for absence (A25).
            guard try await describe(sealed) == nil else { throw .unavailable }
            return nil
        }
    }

    /// Checks for the item behind biometrics.
    package func findBiometric() async throws(DeviceRefusal) -> LegacyBiometric? {
        guard let biometric, try await describe(biometric) != nil else { return nil }
        return holds
    }

    /// Reads the item behind biometrics.
    package func readBiometric(_ prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        guard let biometric else { throw .absent }
        return try await store.read(biometric, prompt: prompt)
    }

    /// Deletes the item sealed under the PIN, and checks that it is gone.
    package func eraseSealed(digest: [UInt8]) async throws(DeviceRefusal) {
        guard let sealed, let found = try await digestOfSealed() else { return }
        guard found == digest else { throw .unclassified }
        try await erase(sealed)
    }

    /// Deletes the item behind biometrics, and checks that it is gone.
    package func eraseBiometric() async throws(DeviceRefusal) { if let biometric { try await erase(biometric) } }

    /// Returns the digest, so that the copy is zeroised before the item is deleted.
    private func digestOfSealed() async throws(DeviceRefusal) -> [UInt8]? {
        guard let bytes = try await readSealed() else { return nil }
        return bytes.withBytes { SHA256.digest($0) }
    }

    /// Returns the description of an item; nil only when the store says so twice (A25).
    private func describe(_ item: ItemName) async throws(DeviceRefusal) -> ItemDescription? {
        if let description = try await store.describe(item) { return description }
        return try await store.describe(item)
    }

    private func erase(_ item: ItemName) async throws(DeviceRefusal) {
        try await store.delete(item)
        guard try await describe(item) == nil else { throw .unavailable }
    }
}
