import Foundation
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnSimulator
import ThumbturnTestKit

// What a former app left on the scene: items of the device, or a file.
extension CrashScene {
    /// What a former app sealed under `firstPIN`, where that is a file.
    var formerFile: String { root + "/former" }
    /// Says that the former app kept its PIN behind biometrics, and not the mnemonic.
    private var formerMark: String { root + "/former-kept-its-pin" }
    /// Of a second former app.
    static var secondSealedItem: ItemName { FormerApp.name("second-app.mnemonic") }

    /// Leaves items.
    ///
    /// - Parameters:
    ///   - sealed: under the PIN.
    ///   - holds: behind biometrics.
    func leave(_ sealed: FormerApp.Sealed?, biometric holds: LegacyBiometric? = nil) async throws {
        if let sealed { try await leave(sealed, as: FormerApp.sealedItem) }
        guard let holds else { return }
        let text = holds == .pin ? Self.firstPIN : FormerApp.words
        try await device.save(SecretBytes(text: text), as: FormerApp.biometricItem, access: .currentBiometrySet)
        if holds == .pin { try Data().write(to: URL(fileURLWithPath: formerMark)) }
    }

    func leave(_ sealed: FormerApp.Sealed, as item: ItemName) async throws {
        try await device.delete(item)
        try await device.save(SecretBytes(text: sealed.rawValue), as: item, access: .deviceOnly)
    }

    /// Leaves a file.
    func leaveFile(_ bytes: [UInt8] = Array(FormerApp.Sealed.first.rawValue.utf8)) throws {
        let closed: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: formerFile, contents: Data(bytes), attributes: closed) else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    private var hasFormerFile: Bool { FileManager.default.fileExists(atPath: formerFile) }

    /// Whether anything of a former app is here.
    var hasFormer: Bool {
        get throws { try hasFormerFile || device.itemNames().contains { !$0.hasPrefix("thumbturn.") } }
    }

    /// What a vault is to take over.
    var migration: LegacyMigration {
        if hasFormerFile, let file = try? LegacyFile(formerFile) {
            let watched = WatchedFile(file: file, device: device)
            return LegacyMigration(of: watched, named: Self.formerName, policy: Self.policy)
        }
        let holds = FileManager.default.fileExists(atPath: formerMark) ? LegacyBiometric.pin : .mnemonic
        return migration(of: FormerApp.sealedItem, FormerApp.biometricItem, holding: holds, named: Self.formerName)
    }

    /// What a vault is to take over from the second former app.
    var secondMigration: LegacyMigration {
        migration(of: Self.secondSealedItem, nil, named: WalletName(stored: "Second"))
    }

    private static var formerName: WalletName { WalletName(stored: "Former") }

    private func migration(
        of sealed: ItemName,
        _ biometric: ItemName?,
        holding holds: LegacyBiometric = .mnemonic,
        named name: WalletName
    ) -> LegacyMigration {
        LegacyMigration(
            of: LegacyItems(in: seen.store, sealed: sealed, biometric: biometric, holding: holds),
            named: name,
            policy: Self.policy
        )
    }

    /// A former app's store of two secrets, which a vault takes over whole.
    var formerStore: some LegacyStore { FormerStore(items: seen.store) }

    /// Leaves such a store.
    func leaveStore() async throws {
        for (item, _, text) in FormerStore.contents {
            try await device.save(SecretBytes(text: text), as: item, access: .deviceOnly)
        }
    }

    /// Whether what a former app left still opens the wallet, copy by copy.
    func formerFacts() async throws -> [String] {
        var facts: [String] = []
        for item in [FormerApp.sealedItem, Self.secondSealedItem] {
            guard try device.itemNames().contains(item.text) else { continue }
            let bytes = try await device.read(item, prompt: FormerApp.prompt).withBytes { $0.exposedText }
            let sealed = FormerApp.Sealed.allCases.first { $0.rawValue == bytes }
            let plain = FormerStore.contents.first { $0.item == item && $0.text == bytes }?.name
            facts.append("\(item.text) opens with the \(sealed.map { "\($0)" } ?? plain ?? "wrong") wallet")
        }
        if try device.itemNames().contains(FormerApp.biometricItem.text) {
            try device.simulate(.finger(.match))
            let opens = (try? await device.read(FormerApp.biometricItem, prompt: FormerApp.prompt)) != nil
            if opens { facts.append("\(FormerApp.biometricItem.text) opens") }
        }
        if let bytes = try? Data(contentsOf: URL(fileURLWithPath: formerFile)) {
            let opens = Array(bytes) == Array(FormerApp.Sealed.first.rawValue.utf8)
            facts.append("former file\(opens ? " opens" : "")")
        }
        return facts
    }
}

/// Two items of a device, each with a mnemonic.
private struct FormerStore: LegacyStore {
    static let contents: [(item: ItemName, name: String, text: String)] = [
        (FormerApp.sealedItem, "Former", FormerApp.words),
        (CrashScene.secondSealedItem, "Second", FormerApp.otherWords),
    ]

    let items: any ItemStore

    func read(_ prompt: PromptText, into secrets: inout LegacySecrets) async throws(DeviceRefusal) {
        for (item, name, _) in Self.contents {
            do throws(DeviceRefusal) {
                let secret = try await items.read(item, prompt: prompt)
                secrets.add(secret, as: .mnemonic, named: WalletName(stored: name))
            } catch {
                guard try await items.describe(item) == nil else { throw error }
            }
        }
    }

    func erase(_ name: WalletName, ifStill digest: [UInt8]) async throws(DeviceRefusal) -> Bool {
        guard let item = Self.contents.first(where: { $0.name == name.text })?.item,
            try await items.describe(item) != nil
        else { return false }
        try await items.delete(item)
        return true
    }
}

/// A former app's file, whose every use counts as a call of the device: it fails and dies like one.
private struct WatchedFile: LegacyWallet {
    let file: LegacyFile
    let device: SimulatedDevice

    var countsGuesses: Bool { file.countsGuesses }

    func readSealed() async throws(DeviceRefusal) -> SecretBytes? {
        try await watch(.read(FormerApp.sealedItem)) { () async throws(DeviceRefusal) in try await file.readSealed() }
    }

    func findBiometric() async throws(DeviceRefusal) -> LegacyBiometric? { await file.findBiometric() }

    func readBiometric(_ prompt: PromptText) async throws(DeviceRefusal) -> SecretBytes {
        try await file.readBiometric(prompt)
    }

    func eraseSealed(digest: [UInt8]) async throws(DeviceRefusal) {
        try await watch(.delete(FormerApp.sealedItem)) { () async throws(DeviceRefusal) in
            try await file.eraseSealed(digest: digest)
        }
    }

    func eraseBiometric() async throws(DeviceRefusal) { await file.eraseBiometric() }

    private func watch<Result: ~Copyable>(
        _ call: SimulatedCall,
        _ body: () async throws(DeviceRefusal) -> Result
    ) async throws(DeviceRefusal) -> Result {
        let interception: Interception
        do { interception = try device.interceptor?(call) ?? .proceed } catch {
            throw error as? DeviceRefusal ?? .unclassified
        }
        let result = try await body()
        switch interception {
        case .proceed: return result
        case .failAfterEffect(let refusal): throw refusal
        }
    }
}
