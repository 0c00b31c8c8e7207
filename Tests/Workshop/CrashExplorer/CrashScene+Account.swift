import Foundation
import Thumbturn
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnTestKit

// The account of a scene. What its service knows lies in the scene's folder, and no stop of this device changes it.
extension CrashScene {
    /// What the account's service knows.
    struct Service: Sendable {
        /// How often the password was changed.
        var changes: UInt8 = 0
        /// How many keys the envelope has.
        var keys = 1
        var epoch: UInt64 = 0

        var account: TestAccount { TestAccount(after: changes, keys: keys, epoch: epoch) }
    }

    private var serviceFile: String { root + "/service" }

    private var deviceFile: String { root + "/device-name" }

    /// Whether the account is known to a vault by the device that it was furnished with.
    func isFirstDevice(of account: VaultAccount) -> Bool { account.device.text == text(at: deviceFile) }

    var hasAccount: Bool { FileManager.default.fileExists(atPath: serviceFile) }

    func service() throws -> Service {
        let numbers = text(at: serviceFile).split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3 else { throw PartyError() }
        return Service(changes: UInt8(numbers[0]), keys: numbers[1], epoch: UInt64(numbers[2]))
    }

    func setService(_ service: Service) throws {
        let words = "\(service.changes) \(service.keys) \(service.epoch)"
        try Data(words.utf8).write(to: URL(fileURLWithPath: serviceFile))
    }

    /// The numbers of the passwords that the account has had.
    var changes: ClosedRange<UInt8> { get throws { 0...(try service().changes) } }

    /// The password changes on another device, which tells the service.
    func changePassword() throws {
        var service = try service()
        service.changes += 1
        service.keys += 1
        service.epoch += 1
        try setService(service)
    }

    /// Rules as seed 002 has them, for the simulated device, and with all that they may allow.
    private static var accountPolicy: VaultPolicy {
        var policy = VaultPolicy.pd107.allowing(.simulated)
        policy.allowsOfflinePassword = true
        return policy
    }

    /// Begins a vault of the account.
    func begin() async throws -> (vault: Vault, device: AccountDevice) {
        try await Vault.begin(in: vaultFolder, device: seen, policy: Self.accountPolicy, configuration: configuration)
    }

    /// Makes the vault that was begun.
    @discardableResult
    func found(_ vault: Vault, _ device: AccountDevice, keepsOffline: Bool = true) async throws -> StrongAuthorization {
        let account = try service().account
        return try await vault.create(
            by: account.opening(account.identity(device), offline: keepsOffline ? offline() : nil)
        )
    }

    /// Makes a vault of the account with all that a vault can have.
    func furnishAccount(
        _ service: Service = Service(),
        biometrics: Bool = true,
        keepsOffline: Bool = true
    ) async throws {
        try setService(service)
        let (vault, device) = try await begin()
        try Data(device.id.text.utf8).write(to: URL(fileURLWithPath: deviceFile))
        let authorization = try await found(vault, device, keepsOffline: keepsOffline)
        if biometrics { try await vault.enableBiometrics(consent, authorization) }
        try await fill(vault)
        let shown = try await vault.createRecoveryKey(logIn(to: vault, keepsOffline: keepsOffline)) { $0.exposed }
        try Data(shown).write(to: URL(fileURLWithPath: oldKey))
        try await vault.confirmRecoveryKey(
            SecretBytes(text: text(at: oldKey)),
            logIn(to: vault, keepsOffline: keepsOffline)
        )
        await vault.close()
    }

    /// Logs in, as a login that keeps nothing unless it is said; where the slot lies under the newest key then, the service
    /// hears of it, and drops the former ones.
    ///
    /// - Parameter address: where the service has moved to; nil is where the vault knows it.
    @discardableResult
    func logIn(
        to vault: Vault,
        as device: AccountDevice? = nil,
        keepsOffline: Bool = false,
        at address: String? = nil
    ) async throws -> StrongAuthorization {
        var service = try service()
        let account = service.account
        guard var known = await vault.account else { throw VaultError(.accountMismatch) }
        if let device { known = account.identity(device) }
        let opening = try account.opening(known, offline: keepsOffline ? offline() : nil, at: address)
        let newest = opening.keys.newest
        let authorization = try await vault.unlock(with: opening)
        if service.keys > 1, await vault.accountKey == newest {
            service.keys = 1
            try setService(service)
        }
        return authorization
    }

    /// Logs in, and once more where the slot could not be sealed anew: that fails in silence, and is for the next login to do.
    func logInForGood(to vault: Vault) async throws -> StrongAuthorization {
        let authorization = try await logIn(to: vault)
        guard try service().keys > 1 else { return authorization }
        return try await logIn(to: vault)
    }

    /// Logs in where the slot can't be sealed anew: as if the newest key of the account were still the former one.
    func logInWithoutNewest(to vault: Vault, keepsOffline: Bool) async throws {
        let service = try service()
        guard service.changes > 0, let known = await vault.account else { throw PartyError() }
        let account = TestAccount(after: service.changes - 1, keys: 1, epoch: service.epoch)
        _ = try await vault.unlock(with: account.opening(known, offline: keepsOffline ? offline() : nil))
    }

    /// What a device keeps to open without the service.
    private func offline() throws -> OfflineLogin {
        OfflineLogin(
            salt: [UInt8](repeating: 7, count: 16),
            cost: Argon2Parameters(memoryKiB: 19_456, passes: 2),
            envelope: [try service().changes]
        )
    }

    /// Unlocks without the service, by the password after so many changes; nil is none that the account ever had.
    func unlockOffline(_ vault: Vault, after changes: UInt8?) async throws {
        try await vault.unlockOffline { (kept) throws(VaultError) in
            guard let changes, kept.envelope == [changes] else { return nil }
            let keys = TestAccount(after: changes, keys: Int(changes) + 1, epoch: 0)
            do { return try keys.envelopeKeys() } catch { throw VaultError(.accountKeyMissing) }
        }
    }

    /// Goes on with an account: one whose device was lost begins anew, any other opens after yet another change.
    func useAccount(isThere: Bool) async throws {
        guard isThere else { return try await furnishAccount(service()) }
        try changePassword()
        let vault = try await open()
        try await logIn(to: vault)
        guard try service().keys == 1 else { throw PartyError() }
        await vault.lock()
        try await logIn(to: vault)
        await vault.close()
    }
}
