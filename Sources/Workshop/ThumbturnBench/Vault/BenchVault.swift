import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

/// A real vault with real costs, on a simulated device in memory, so that only our own work is measured.
final class BenchVault {
    static let pin = "802461937514"

    let vault: Vault
    let device = SimulatedDevice()
    let secret = SecretBytes(ascii: BenchVault.pin)
    private let witness: RawDatabase

    /// Creates a vault with biometrics and this many wallets, and reopens it, so that each one starts with an empty log.
    init(in folder: String, wallets: Int) async throws {
        try await Self.make(in: folder, device: device.device, secret: secret, wallets: wallets)
        vault = try await Vault.open(in: folder, device: device.device)
        witness = try RawDatabase(opening: folder + "/vault.sqlite")
    }

    private static func make(
        in folder: String,
        device: Device,
        secret: borrowing SecretBytes,
        wallets: Int
    ) async throws {
        let creation = try await Vault.create(
            in: folder,
            device: device,
            secret: secret,
            policy: .wallet.allowing(.simulated),
            biometrics: BiometricConsent(ownerAgreedAt: device.clock())
        )
        if let failure = creation.biometricsFailure { throw failure }
        var made = 0
        _ = try await creation.vault.addWallets { () throws(VaultError) in
            guard made < wallets else { return nil }
            made += 1
            return WalletImport(name: try WalletName("wallet \(made)"), secret: .newMnemonic(words: .twentyFour))
        }
        await creation.vault.close()
    }

    /// Returns the time from the call to the open session, in seconds.
    func unlockWithPIN() async throws -> Double {
        try await durably { try await timed { try await vault.unlock(with: secret) } }
    }

    /// Returns the time with a finger that is already on the sensor, so that the prompt takes no time.
    func unlockWithFinger() async throws -> Double {
        try device.simulate(.finger(.match))
        return try await durably {
            try await timed { try await vault.unlockWithBiometrics(PromptText(reason: "bench")) }
        }
    }

    /// Returns the time of an event in a transaction of its own, in seconds, as the mean of this many.
    func append(count: Int) async throws -> Double {
        try await timed {
            try await vault.insecurelyTell(.policyChanged, times: count, together: false)
        } / Double(count)
    }

    /// Returns the time from the PIN to the name of every wallet, in seconds.
    func list() async throws -> Double {
        try device.simulate(.advance(.seconds(1)))
        let seconds = try await timed {
            try await vault.unlock(with: secret)
            _ = try await vault.inventory()
        }
        await vault.lock()
        return seconds
    }

    /// Enables system authentication, and disables it again with the same PIN.
    ///
    /// - Returns: the seconds of each change, without the prompts and without the preceding unlock.
    func switchModes() async throws -> (on: Double, off: Double) {
        guard let offer = SystemModeFlag.open.offer(to: "bench") else { throw BenchError(what: "no offer") }
        if await vault.obstacleToSystemAuthentication(offer) == .recoveryKeyRequired { try await makeRecoveryKey() }
        let strong = try await vault.unlock(with: secret)
        let enabling = SystemModeConsent(to: .enabling, ownerAgreedAt: device.device.clock())
        var start = monotonicSeconds()
        try await vault.enableSystemAuthentication(offer, enabling, strong)
        let on = monotonicSeconds() - start
        try device.simulate(.finger(.match))
        let disabling = SystemModeConsent(to: .disabling, ownerAgreedAt: device.device.clock())
        let confirmed = try await vault.confirmSystemExit(disabling, PromptText(reason: "bench"))
        start = monotonicSeconds()
        try await vault.disableSystemAuthentication(confirmed, newSecret: secret)
        return (on, monotonicSeconds() - start)
    }

    private func makeRecoveryKey() async throws {
        let key = try await vault.createRecoveryKey(try await vault.unlock(with: secret)) { text in
            unsafe text.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
        }
        try await vault.confirmRecoveryKey(SecretBytes(ascii: key), try await vault.unlock(with: secret))
    }

    /// Checks that an unlock really wrote something, and locks again.
    ///
    /// Time does not pass on a device in memory, and SQLite writes nothing if a row stays the same: an unlock at the
    /// instant of the last one would cost no durable write.
    private func durably(_ unlock: () async throws -> Double) async throws -> Double {
        try device.simulate(.advance(.seconds(1)))
        let version = try witness.version()
        let seconds = try await unlock()
        guard try witness.version() != version else { throw BenchError(what: "an unlock wrote nothing") }
        await vault.lock()
        return seconds
    }
}

extension SecretBytes {
    /// Creates a secret that protects nothing.
    init(ascii text: String) {
        unsafe self.init(byteCount: text.utf8.count) { buffer in unsafe buffer.copyBytes(from: text.utf8) }
    }
}
