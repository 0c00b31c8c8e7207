import Glibc
import Thumbturn
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnLinux
import ThumbturnRules

/// A real vault on the Linux device: our own TPM, and the bus and reader of a stack.
final class LinuxBench {
    let tpm: BenchTPM
    private let folder: String
    private let device: Device
    private var vault: Vault
    private let secret = SecretBytes(ascii: BenchVault.pin)
    private let watch = Stopwatch()
    private let matches: AsyncThrowingStream<Double, any Error>

    /// Creates a vault.
    ///
    /// - Parameters:
    ///   - reader: the reader for its finger; `nil` for a vault with a PIN alone.
    init(in folder: String, on tpm: BenchTPM, stack: String, reader: BenchReader? = nil) async throws {
        (self.tpm, self.folder) = (tpm, folder)
        guard unsafe mkdir(folder, 0o700) == 0 else { throw BenchError(what: "\(folder) can't be made") }
        let (matches, say) = AsyncThrowingStream.makeStream(of: Double.self)
        self.matches = matches
        var configuration = LinuxConfiguration(folder: folder + "/device", store: .tpm(tpm.tcti))
        configuration.bus = "unix:path=\(stack)/bus.sock"
        configuration.owner = getuid()
        configuration.progress = { progress in
            guard progress == .ready, let reader else { return }
            Task.detached { do { say.yield(try reader.touch()) } catch { say.finish(throwing: error) } }
        }
        let device = try await Device.linux(configuration).timed(by: watch)
        self.device = device
        let creation = try await Vault.create(
            in: folder + "/vault",
            device: device,
            secret: secret,
            policy: .wallet.allowing(.softwareFile),
            biometrics: reader.map { _ in BiometricConsent(ownerAgreedAt: device.clock()) }
        )
        if let failure = creation.biometricsFailure { throw failure }
        vault = creation.vault
        await vault.lock()
    }

    /// Opens the vault's files anew, as the next process does.
    ///
    /// - Returns: the seconds that the vault waited for the device's store and anchor.
    func openAnew() async throws -> Double {
        await vault.close()
        _ = watch.read()
        vault = try await Vault.open(in: folder + "/vault", device: device)
        return watch.read()
    }

    /// Unlocks with the PIN.
    ///
    /// - Returns: the seconds that the vault waited for the device's store and anchor.
    func unlockWithPIN() async throws -> Double {
        _ = watch.read()
        try await vault.unlock(with: secret)
        let seconds = watch.read()
        await vault.lock()
        return seconds
    }

    /// Unlocks with a finger.
    ///
    /// - Returns: the seconds from fprintd's match signal to the open session.
    func unlockWithFinger() async throws -> Double {
        try await vault.unlockWithBiometrics(PromptText(reason: "bench"))
        let end = monotonicSeconds()
        await vault.lock()
        for try await match in matches { return end - match }
        throw BenchError(what: "no signal of a match")
    }
}
