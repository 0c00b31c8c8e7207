import Testing
import Thumbturn
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit
import ThumbturnTransport

/// A device with an account's vault, in this process, at a real service over a real socket; its clocks stand still until a test
/// moves them.
struct EnrolledDevice {
    let folder: TemporaryFolder
    let simulated: SimulatedDevice
    let log: EventLog
    let account: AccountVault
    private let origin: String

    var vault: Vault { account.vault }
    var path: String { folder.file("vault") }

    private init(
        _ folder: TemporaryFolder,
        _ simulated: SimulatedDevice,
        _ log: EventLog,
        _ account: AccountVault,
        _ origin: String
    ) {
        (self.folder, self.simulated, self.log, self.account, self.origin) = (folder, simulated, log, account, origin)
    }

    /// Registers `ada`, or logs in where there is one.
    ///
    /// - Parameter maxOfflineAge: how long the service may be silent.
    static func make(
        at origin: String,
        registering: Bool = true,
        _ password: String = Passwords.old,
        maxOfflineAge: Milliseconds? = .days(7)
    ) async throws -> EnrolledDevice {
        let (folder, simulated, log) = (try TemporaryFolder(), SimulatedDevice(), EventLog())
        var policy = TestVault.accountPolicy
        policy.maxOfflineAge = maxOfflineAge
        let secret = SecretBytes(text: password)
        let transport = try AccountTransport.system(origin: origin)
        let (path, device) = (folder.file("vault"), simulated.device)
        let configuration = TestVault.configuration(log)
        let enrolled =
            registering
            ? try await AccountVault.register(
                "ada",
                password: secret,
                over: transport,
                in: path,
                device: device,
                policy: policy,
                configuration: configuration
            )
            : try await AccountVault.logIn(
                "ada",
                password: secret,
                over: transport,
                in: path,
                device: device,
                policy: policy,
                configuration: configuration
            )
        return EnrolledDevice(folder, simulated, log, enrolled.account, origin)
    }

    /// The same vault through another object, as the next process has it; the service is asked first.
    ///
    /// - Parameter device: the simulated device as the vault sees it, where that is not as it is.
    func restarted(seenAs device: Device? = nil) async throws -> EnrolledDevice {
        await vault.close()
        let opened = try await AccountVault.open(
            in: path,
            device: device ?? simulated.device,
            over: try .system(origin: origin),
            configuration: TestVault.configuration(log)
        )
        return EnrolledDevice(folder, simulated, log, opened, origin)
    }

    func enableBiometrics(_ password: String = Passwords.old) async throws {
        let consent = BiometricConsent(ownerAgreedAt: simulated.device.clock())
        try await account.enableBiometrics(consent, with: SecretBytes(text: password))
    }

    /// Unlocks with a finger that does what `touch` says.
    func touch(_ touch: SimulatedTouch = .match) async throws {
        await vault.lock()
        try simulated.simulate(.finger(touch))
        try await vault.unlockWithBiometrics(TestVault.words)
    }

    func unlock(_ password: String = Passwords.old) async throws {
        await vault.lock()
        try await account.unlock(with: SecretBytes(text: password))
    }

    func change(_ former: String = Passwords.old, to password: String = Passwords.new) async throws {
        try await account.changePassword(from: SecretBytes(text: former), to: SecretBytes(text: password))
    }

    func advance(_ span: Milliseconds) throws { try simulated.simulate(.advance(span)) }

    var biometrics: BiometricLifecycle.State { get async { await vault.snapshot.biometrics } }

    /// Expects that something is refused, with a code and the words that its user reads.
    func meets(
        _ code: String,
        _ french: String,
        at place: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async {
        do {
            try await body()
            Issue.record("it was not refused", sourceLocation: place)
        } catch {
            let met = (error as? VaultError)?.code
            #expect(met?.text == code, "\(error)", sourceLocation: place)
            #expect(met?.message(in: .french) == french, sourceLocation: place)
        }
    }
}
