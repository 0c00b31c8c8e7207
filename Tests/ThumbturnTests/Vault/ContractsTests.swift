import Foundation
import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn
@testable import ThumbturnContracts

/// The contracts of seed 002 §4.1.
@Suite struct ContractsTests {
    @Test func `P-107-02: the record of the biometric slot has every field`() async throws {
        let made = try await TestVault.make()
        #expect(try await made.vault.biometricRecord() == nil)
        try await made.enableBiometrics()
        let record = try #require(try await made.vault.biometricRecord())
        let slot = try made.slot(.biometric)
        #expect(record.version == 1 && record.userId == nil)
        #expect(try await record.deviceId == made.device.installation())
        #expect(record.wrappedUnlockBlob == slot.box && record.wrappedUnlockBlob.count == 60)
        #expect(record.keyId == slot.item && record.createdAt == made.device.clock().wall)
        let fields = Mirror(reflecting: record).children.compactMap(\.label)
        #expect(fields == ["version", "userId", "deviceId", "wrappedUnlockBlob", "keyId", "createdAt"])
    }

    @Test func `P-107-02: a vault is an orchestrator, and its five methods do what they say`() async throws {
        let made = try await TestVault.make()
        let orchestrator: any UnlockOrchestrator = made.vault
        try await orchestrator.enableBiometrics(made.consent, with: SecretBytes(text: TestVault.pin))
        await made.vault.lock()
        try made.simulated.simulate(.finger(.match))
        try await orchestrator.unlockWithBiometrics(TestVault.words)
        var context = UnlockPolicyContext(now: made.device.clock(), capability: await made.simulated.capability())
        #expect(await orchestrator.evaluateUnlockPolicy(context) == .requireStrongFactor(.biometricsDisabled))
        context.biometricSlot = .ready
        context.lastStrongAuthentication = made.device.clock()
        context.lastUse = made.device.clock()
        #expect(await orchestrator.evaluateUnlockPolicy(context) == .promptBiometrics)
        let authorization = try await orchestrator.unlock(with: SecretBytes(text: TestVault.pin))
        let reason = "lent\u{7} the phone " + String(repeating: "x", count: 99)
        try await orchestrator.disableBiometrics(authorization, reason: reason)
        #expect(try await made.look().biometrics == .disabled)
        let event = try #require(made.log.events.last { $0.kind == .biometricDisabled })
        #expect(event.reason == "lent the phone " + String(repeating: "x", count: 49))
    }

    @Test func `P-107-02: a device has the two services`() async throws {
        let simulated = SimulatedDevice()
        let biometrics: any BiometricService = simulated.device.biometricService
        let keychain: any KeychainService = simulated.device.keychainService
        #expect(await biometrics.capability().available)
        let name = ItemName(vault: .make(), purpose: .biometric, unique: .make())
        try await keychain.save(.random(byteCount: 32), as: name, access: .currentBiometrySet)
        try simulated.simulate(.finger(.match))
        let count = try await keychain.read(name, prompt: TestVault.words).byteCount
        #expect(count == 32)
        try await keychain.delete(name)
        #expect(try await simulated.describe(name) == nil)
        try simulated.simulate(.finger(.cancel))
        await #expect(throws: DeviceRefusal.cancelledByUser(afterMismatch: false)) {
            try await biometrics.prompt(TestVault.words)
        }
    }

    @Test func `B-05: the view of two booleans follows sensor and vault`() async throws {
        let made = try await TestVault.make()
        #expect(await made.vault.snapshot.biometricState == BiometricState(isSupported: true, isEnabled: false))
        try await made.enableBiometrics()
        #expect(try await made.look().biometricState == BiometricState(isSupported: true, isEnabled: true))
    }

    @Test func `INV-107-04: the local unlock path reaches no server: no room of it imports anything that could`() throws
    {
        let rooms = [
            "Thumbturn", "ThumbturnRules", "ThumbturnCrypto", "ThumbturnDevice", "ThumbturnFiles", "ThumbturnSQLite",
            "ThumbturnBase",
        ]
        let systems = [
            "COpenSSL", "CSodium", "Clibsodium", "CArgon2", "CryptoKit", "CommonCrypto", "CSQLite", "Glibc", "Darwin",
        ]
        let sources = URL(fileURLWithPath: VectorFolder.own).appendingPathComponent("../../Sources").standardizedFileURL
        var files = 0
        for room in rooms {
            let folder = sources.appendingPathComponent(room).path
            for name in try FileManager.default.subpathsOfDirectory(atPath: folder) where name.hasSuffix(".swift") {
                files += 1
                let text = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
                for line in text.split(separator: "\n") {
                    let words = line.split(separator: " ")
                    guard words.dropLast().last == "import", !line.hasPrefix("/"), let module = words.last else {
                        continue
                    }
                    #expect((rooms + systems).contains(String(module)), "\(room)/\(name) imports \(module)")
                }
                for call in ["socket(", "connect(2", "getaddrinfo", "URLSession"] { #expect(!text.contains(call)) }
            }
        }
        #expect(files > 50)
    }
}
