import Foundation
import Glibc
import Testing
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import ThumbturnLinux

/// A vault whose device keeps its keys in files, of which some are damaged: there, readable, and not whole.
@Suite("A vault beside damaged files")
struct DamagedFilesTests {
    private static let secret = "correct horse battery"
    private static let wallet = "the secret of a wallet"
    private let folder: TemporaryFolder
    private let owner = ScriptedOwner()

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(Array("0123456789abcdef".utf8), to: "machine-id")
    }

    /// The machine as another process has it.
    private func device() throws -> Device {
        let owner = owner
        let (items, machine) = (folder.file("items"), folder.file("machine-id"))
        let store = try FileStore(folder: items, machineID: machine, gate: OwnerGate(owner))
        return Device(
            kind: .linux,
            store: store,
            prompt: owner,
            anchor: store.anchor,
            clock: owner.simulated.device.clock,
            installation: owner.simulated.device.installation
        )
    }

    /// Makes a vault with a wallet in it, and a recovery key, and closes it.
    private func makeVault(biometrics: Bool = false) async throws -> String {
        let device = try device()
        let vault = try await Vault.create(
            in: folder.file("vault"),
            device: device,
            secret: SecretBytes(text: Self.secret),
            policy: VaultPolicy.wallet.allowing(.softwareFile),
            biometrics: biometrics ? BiometricConsent(ownerAgreedAt: device.clock()) : nil,
            configuration: TestVault.configuration()
        ).vault
        _ = try await vault.addWallet(named: WalletName("Main"), .opaque(SecretBytes(text: Self.wallet)))
        let authorization = try await vault.unlock(with: SecretBytes(text: Self.secret))
        let key = try await vault.createRecoveryKey(authorization) { $0.exposedText }
        try await vault.confirmRecoveryKey(
            SecretBytes(text: key),
            vault.unlock(with: SecretBytes(text: Self.secret))
        )
        await vault.close()
        return key
    }

    private func open() async throws -> Vault {
        try await Vault.open(in: folder.file("vault"), device: device(), configuration: TestVault.configuration())
    }

    /// Gives a PIN to a vault that is opened for that alone.
    private func enter(_ secret: String) async -> ErrorCode? {
        await code {
            let vault = try await open()
            do { _ = try await vault.unlock(with: SecretBytes(text: secret)) } catch {
                await vault.close()
                throw error
            }
            await vault.close()
        }
    }

    private func names(_ isWanted: (String) -> Bool) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.file("items")).filter(isWanted).sorted()
            .map { "items/" + $0 }
    }

    private func anchors() throws -> [String] { try names { $0.hasPrefix("anchor.") } }
    private func deviceSecrets() throws -> [String] {
        try names { $0.hasPrefix("thumbturn.") && $0.contains("secret") }
    }

    /// A damage to a file that is there, and can be read afterwards.
    enum Damage: String, CaseIterable, Sendable {
        case bits, cut, longer, empty, zeros, openToOthers

        func befall(_ file: String, in folder: TemporaryFolder) throws {
            var bytes = try folder.read(file)
            switch self {
            case .bits: for index in stride(from: 100, to: bytes.count, by: 64) { bytes[index] ^= 1 }
            case .cut: bytes.removeLast()
            case .longer: bytes.append(0)
            case .empty: bytes = []
            case .zeros: bytes = [UInt8](repeating: 0, count: bytes.count)
            case .openToOthers: try #require(unsafe chmod(folder.file(file), 0o666) == 0)
            }
            if self != .openToOthers { try folder.write(bytes, to: file) }
        }
    }

    @Test(.holds("A8", "A25"), arguments: Damage.allCases)
    func `a damaged anchor costs a day, as one that is gone, and then the PIN opens`(damage: Damage) async throws {
        _ = try await makeVault()
        #expect(await enter("a wrong password") == .strongFactorRefused)
        for anchor in try anchors() { try damage.befall(anchor, in: folder) }
        #expect(await enter(Self.secret) == .attemptDelayed)
        let vault = try await open()
        #expect(await vault.snapshot.nextAttempt == .wait(.hours(24)))
        #expect(await vault.snapshot.failedAttempts >= 10)
        await vault.close()
        try owner.simulate(.advance(.hours(25)))
        #expect(await enter(Self.secret) == nil)
        #expect(await enter(Self.secret) == nil, "the anchor is whole again")
    }

    @Test(.holds("A25"), arguments: Damage.allCases)
    func `a damaged anchor keeps no recovery key and no reset out`(damage: Damage) async throws {
        let key = try await makeVault()
        for anchor in try anchors() { try damage.befall(anchor, in: folder) }
        let vault = try await open()
        _ = try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
        let wallets = try await vault.wallets()
        #expect(wallets.count == 1)
        try await vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        #expect(try anchors().isEmpty && deviceSecrets().isEmpty)
    }

    @Test(.holds("A25", "A26"), arguments: Damage.allCases)
    func `a damaged device secret opens as a missing one, stays, and opens again once it is whole`(
        damage: Damage
    ) async throws {
        let key = try await makeVault(biometrics: true)
        for secret in try deviceSecrets() {
            let good = try folder.read(secret)
            try damage.befall(secret, in: folder)
            let damaged = try folder.read(secret)
            let before = try names { _ in true }
            for _ in 1...2 { #expect(await enter(Self.secret) == .keyMissing, "\(secret)") }
            #expect(await enter("a wrong password") == .keyMissing)
            let vault = try await open()
            #expect(await vault.snapshot.condition == .keyMissing)
            _ = try await vault.unlock(withRecoveryKey: SecretBytes(text: key))
            let wallet = try #require(try await vault.wallets().first)
            #expect(try await vault.withSecret(of: wallet.id) { _, bytes in bytes.exposedText } == Self.wallet)
            await vault.close()
            #expect(try folder.read(secret) == damaged && names { _ in true } == before, "nothing was made or deleted")
            try folder.write(good, to: secret)
            unsafe chmod(folder.file(secret), 0o600)
            #expect(await enter(Self.secret) == nil, "\(secret)")
        }
    }

    @Test(.holds("A25", "A61"), arguments: Damage.allCases)
    func `a damaged device secret goes with a reset`(damage: Damage) async throws {
        _ = try await makeVault(biometrics: true)
        for secret in try deviceSecrets() { try damage.befall(secret, in: folder) }
        let vault = try await open()
        try await vault.reset(ResetConfirmation(typed: ResetConfirmation.phrase))
        await vault.close()
        // The trail's items tell of the reset.
        let left = try names { $0 != "machine" && !$0.contains(".trail.") && !$0.contains(".device-key.") }
        #expect(left.isEmpty)
    }

    @Test(.holds("A25"))
    func `a recovery makes a new PIN beside a damaged secret, which goes once that has committed`() async throws {
        let key = try await makeVault()
        let former = try deviceSecrets()
        for secret in former { try Damage.bits.befall(secret, in: folder) }
        let vault = try await open()
        try await vault.recover(
            with: SecretBytes(text: key),
            newSecret: SecretBytes(text: "another horse battery")
        )
        await vault.close()
        #expect(try Set(deviceSecrets()).isDisjoint(with: former))
        #expect(await enter("another horse battery") == nil)
    }

    @Test(.holds("A25"))
    func `a whole file of a later version is waited for, and nothing of it is deleted`() async throws {
        _ = try await makeVault()
        for file in try deviceSecrets() {
            let good = try folder.read(file)
            var body = Array(good.dropLast(SHA256.byteCount))
            body[12] = 2
            try folder.write(body + SHA256.digest(body), to: file)
            #expect(await enter(Self.secret) == .storageUnavailable)
            let vault = try? await open()
            let reset = await code { try await vault?.reset(ResetConfirmation(typed: ResetConfirmation.phrase)) }
            #expect(vault == nil || reset == .storageUnavailable)
            await vault?.close()
            try folder.write(good, to: file)
        }
        #expect(await enter(Self.secret) == nil)
    }

    @Test(.holds("A25", "C16")) func `a finger's damaged key is an unclear cause: the PIN, and no finger`() async throws
    {
        _ = try await makeVault(biometrics: true)
        let item = try #require(try names { $0.contains("biometric") }.first)
        try Damage.bits.befall(item, in: folder)
        let damaged = try folder.read(item)
        let vault = try await open()
        try owner.simulate(.finger(.match))
        #expect(await code { try await vault.unlockWithBiometrics(sampleText) } != nil)
        #expect(await vault.snapshot.biometrics != .enabled && owner.promptsShown == 0)
        #expect(try folder.read(item) == damaged, "nobody deletes it for that")
        _ = try await vault.unlock(with: SecretBytes(text: Self.secret))
        await vault.close()
    }

    // MARK: Guesses

    /// What somebody does to the device's files between two guesses.
    enum Meddling: String, CaseIterable, Sendable {
        case nothing, newestSlot, olderSlot, bothSlots, notes, slotAndNote, cut, openToOthers, removed, anything
    }

    /// How many of 300 guesses, an hour apart, were held against the PIN.
    private func guesses(_ meddling: Meddling, seed: UInt64) async throws -> Int {
        var numbers = SeededGenerator(seed: seed)
        var answered = 0
        for number in 1...300 {
            switch await enter("a wrong password \(number)") {
            case .strongFactorRefused?: answered += 1
            case .attemptDelayed?, .localSecretSuspended?: break
            case let other: Issue.record("\(meddling), guess \(number): \(other?.text ?? "it opened")")
            }
            for anchor in try anchors() { try meddle(meddling, with: anchor, &numbers) }
            try owner.simulate(.advance(.hours(1)))
        }
        return answered
    }

    private func meddle(_ meddling: Meddling, with file: String, _ numbers: inout SeededGenerator) throws {
        let block = 4_096
        var bytes = try folder.read(file)
        guard bytes.count == AnchorSlots.byteCount else { return }
        // Where the anchor stands is in a slot, or both are the same.
        let slots = (0..<2).map { Array(bytes[$0 * block..<($0 + 1) * block]) }
        let number = slots[0].indices.first { slots[0][$0] != slots[1][$0] } ?? 0
        let newest = slots[1][number] > slots[0][number] ? 1 : 0
        var hits: [Int] = []
        switch meddling {
        case .nothing: return
        case .newestSlot: hits = [newest * block + 50]
        case .olderSlot: hits = [(1 - newest) * block + 50]
        case .bothSlots: hits = [50, block + 50]
        case .notes: hits = [2 * block + 10, 3 * block + 10]
        case .slotAndNote: hits = [newest * block + 50, (2 + newest) * block + 10]
        case .anything: hits = (0..<3).map { _ in Int.random(in: 0..<bytes.count, using: &numbers) }
        case .cut: return try folder.write(Array(bytes.dropLast()), to: file)
        case .openToOthers:
            try #require(unsafe chmod(folder.file(file), 0o666) == 0)
            return
        case .removed: return try FileManager.default.removeItem(atPath: folder.file(file))
        }
        for hit in hits { bytes[hit] ^= 1 << UInt8.random(in: 0..<8, using: &numbers) }
        try folder.write(bytes, to: file)
    }

    @Test(.holds("A8", "A10"), arguments: Meddling.allCases)
    func `three hundred guesses with damage between are not answered more often than without`(
        meddling: Meddling
    ) async throws {
        _ = try await makeVault()
        let answered = try await guesses(meddling, seed: 32)
        // Ten in the first hours, and one in each of the 12 days that follow; none is forgotten.
        #expect((1...24).contains(answered), "\(answered)")
    }
}
