import Foundation
package import Thumbturn
package import ThumbturnCrypto
import ThumbturnDevice
package import ThumbturnRules
package import ThumbturnSimulator

/// The state that an account's service keeps, without the service: the envelope's keys, the epoch, and the account's
/// identity.
package final class TestAccount: @unchecked Sendable {
    // Safe to share: `lock` guards the fields.
    private let lock = NSLock()
    private var keys: [(name: Identifier, bytes: SecretSample)] = [(.make(), SecretSample())]
    private var policyEpoch: UInt64 = 0
    package let userID: Identifier

    /// 32 bytes that are not a real secret.
    private struct SecretSample {
        var bytes = (0..<AccountKeys.keyByteCount).map { _ in UInt8.random(in: 0 ... .max) }
    }

    package init() { userID = .make() }

    /// Creates an account from stored values.
    package init(userID: Identifier, key name: Identifier, _ bytes: [UInt8], epoch: UInt64) {
        self.userID = userID
        keys = [(name, SecretSample(bytes: bytes))]
        policyEpoch = epoch
    }

    /// The newest key, which is not a real secret.
    package var newestKey: (name: Identifier, bytes: [UInt8]) { lock.withLock { (keys[0].name, keys[0].bytes.bytes) } }

    /// Creates the account of a restored scene: always the same one, after this many changes of its password.
    ///
    /// - Parameter count: the number of keys in the envelope, the newest and those before it.
    package init(after changes: UInt8, keys count: Int, epoch: UInt64) {
        userID = Identifier(high: 1, low: 1)
        policyEpoch = epoch
        keys = (0..<count).map { former in
            let number = changes - UInt8(former)
            let name = Identifier(high: 2, low: 1 + UInt64(number))
            return (name, SecretSample(bytes: SHA256.digest([number])))
        }
    }

    package var epoch: UInt64 { lock.withLock { policyEpoch } }

    /// Changes the password, on some device: a new key of the account, and a new epoch.
    package func changePassword() {
        lock.withLock {
            keys.insert((.make(), SecretSample()), at: 0)
            policyEpoch += 1
        }
    }

    /// Removes the former keys, as if every device had logged in.
    package func dropFormerKeys() { lock.withLock { keys.removeLast(keys.count - 1) } }

    package func setEpoch(_ epoch: UInt64) { lock.withLock { policyEpoch = epoch } }

    /// Returns the account as a device stores it in its head.
    package func identity(_ device: AccountDevice) -> VaultAccount {
        VaultAccount(
            service: VaultAccount.Service(name: "https://accounts.example", address: "https://accounts.example"),
            name: "ada",
            userID: userID,
            device: device.id,
            deviceKey: device.key,
            login: VaultAccount.Login(
                group: .standard,
                cost: Argon2Parameters(memoryKiB: 65_536, passes: 3),
                saltDigest: SHA256.digest([1])
            )
        )
    }

    /// Returns the keys of the envelope.
    package func envelopeKeys() throws -> AccountKeys {
        let known = lock.withLock { keys }
        let all = ContiguousArray(known.flatMap(\.bytes.bytes))
        return try AccountKeys(names: known.map(\.name), bytes: unsafe SecretBytes(copying: all.span.bytes))
    }

    /// Returns the result of a login to this account for a device.
    ///
    /// - Parameter address: the address that the service answered at; `nil` for the one that the device knows.
    package func opening(
        _ account: VaultAccount,
        offline: OfflineLogin? = nil,
        at address: String? = nil
    ) throws -> AccountOpening {
        try AccountOpening(
            keys: envelopeKeys(),
            account: account,
            policyEpoch: epoch,
            offline: offline,
            service: address.map { VaultAccount.Service(name: account.service.name, address: $0) }
        )
    }
}

extension TestVault {
    package static let accountPolicy = VaultPolicy.pd107.allowing(.simulated)

    /// Creates an unlocked vault that the password of `account` opens.
    package static func make(
        of account: TestAccount,
        policy: VaultPolicy = accountPolicy,
        biometrics: Bool = false,
        on simulated: SimulatedDevice = SimulatedDevice()
    ) async throws -> TestVault {
        let (folder, log, device) = (try TemporaryFolder(), EventLog(), simulated.silent)
        let (vault, known) = try await Vault.begin(
            in: folder.file("vault"),
            device: device,
            policy: policy,
            configuration: configuration(log)
        )
        let authorization = try await vault.create(by: account.opening(account.identity(known)))
        if biometrics {
            try await vault.enableBiometrics(BiometricConsent(ownerAgreedAt: device.clock()), authorization)
        }
        return TestVault(folder: folder, simulated: simulated, device: device, log: log, vault: vault)
    }

    /// Unlocks with the password of `account`, as if the service had accepted it.
    @discardableResult
    package func strong(_ account: TestAccount, offline: OfflineLogin? = nil) async throws -> StrongAuthorization {
        guard let known = await vault.account else { throw VaultError(.accountMismatch) }
        return try await vault.unlock(with: account.opening(known, offline: offline))
    }
}

extension Vault {
    /// Accepts an answer of the service of the vault's account.
    package func accept(_ answer: ServiceAnswer) async throws(VaultError) {
        guard let account else { throw VaultError(.accountMismatch) }
        try await accept(answer, of: account)
    }
}
