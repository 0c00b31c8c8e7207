public import Thumbturn
import ThumbturnDevice
public import ThumbturnRules

/// Opens an app's one vault, or makes the first one with its owner; keeps the models of its screens.
///
/// Make it once, with the app. The view `VaultScreens` shows it and calls `start()`; without views call that yourself,
/// at the start and at each return to the foreground: a phone may be locked when the system starts an app.
@MainActor public final class VaultScreensModel: ScreenModel<VaultScreensFields> {
    /// The kind of secret that the owner types; the same for every vault of the app.
    public let secret: SecretKind
    /// The policy of a new vault.
    public let policy: VaultPolicy
    /// The vault; nil before it is found or made, and after it was erased.
    public private(set) var vault: Vault?
    /// The model of the vault's lock screen.
    public private(set) var lock: AppUnlockObject?
    /// The device, once it could be made.
    public private(set) var device: Device?
    /// The first start, while there is no vault.
    public private(set) var onboarding: OnboardingModel?
    /// The way back, while its owner wants it.
    public private(set) var recovery: RecoverModel?

    private let folder: String
    private let configuration: @Sendable (Device) -> VaultConfiguration
    private let opened: @MainActor (Vault, Device) -> Void
    private let makeDevice: @Sendable () async throws -> Device
    private var starting: Task<Void, Never>?
    private var failure: ErrorCode?
    private var setupFault: String?

    /// Prepares to open the vault in the folder `vault` of an app's own folder.
    ///
    /// - Parameters:
    ///   - home: the path of the app's own folder, which exists once the device was made; put nothing else in `vault`.
    ///   - policy: the rules of a new vault; one that exists has its own.
    ///   - secret: the kind of secret that the owner types. With a length, no PIN of another length can be typed.
    ///   - configuration: the app's choices, such as who hears of events.
    ///   - opened: called with each vault that was opened or made, before it is shown.
    ///   - device: makes the device. What it throws besides a `VaultError` is shown as it describes itself, such as
    ///     `AppleSetupFailure`, which names what is missing in the project.
    public init(
        in home: String,
        policy: VaultPolicy = .wallet,
        secret: SecretKind = .pin(length: nil),
        configuration: @escaping @Sendable (Device) -> VaultConfiguration = { _ in VaultConfiguration() },
        opened: @escaping @MainActor (Vault, Device) -> Void = { _, _ in },
        device: @escaping @Sendable () async throws -> Device
    ) {
        folder = home + "/vault"
        self.policy = policy
        self.secret = secret
        self.configuration = configuration
        self.opened = opened
        makeDevice = device
        super.init(VaultScreensFields(VaultScreensFields.Surroundings(policy: policy)))
    }

    deinit { starting?.cancel() }

    /// The language of messages, here and on the screens that this model keeps.
    public override var language: Language {
        didSet { tellLanguage() }
    }

    override func described() -> VaultScreensFields {
        var around = VaultScreensFields.Surroundings(policy: policy, language: language)
        around.hasVault = vault != nil
        around.isOnboarding = onboarding != nil
        around.isRecovering = recovery != nil
        around.refusal = failure
        around.setupFault = setupFault
        if let device { around.device = device.kind }
        return VaultScreensFields(around)
    }
}

// Calls by the app.
extension VaultScreensModel {
    /// Looks for the vault, unless it is there, being made, or being looked for; returns when that has ended.
    public func start() async {
        guard hasToLook else { return }
        // One look after the other: a second one finds what the first one found.
        let task = Task { [weak self, former = starting] in
            await former?.value
            await self?.find()
        }
        starting = task
        await task.value
    }

    /// Stops looking for the vault: the screen goes.
    public func stop() {
        starting?.cancel()
        onboarding?.clear()
    }

    /// Shows the way back: the recovery key, or erasing everything.
    public func recover() {
        guard let vault, let lock, recovery == nil else { return }
        let model = RecoverModel(vault, outOf: lock) { [weak self] in self?.endRecovery() }
        model.language = language
        recovery = model
        show()
    }

    /// Goes back from there to the lock screen, and forgets what was typed.
    public func endRecovery() {
        guard let model = recovery else { return }
        recovery = nil
        model.clear()
        show()
    }

    /// Asks for a new vault, in place of one that was erased.
    public func newWallet() async {
        guard let erased = vault, let device, lock?.screen == .erased else { return }
        endRecovery()
        (vault, lock) = (nil, nil)
        onboard(on: device)
        await erased.close()
    }
}

extension VaultScreensModel {
    /// A vault that another process made meanwhile is found too.
    private var hasToLook: Bool {
        vault == nil && (onboarding == nil || onboarding?.error?.errorCode == .vaultExists)
    }

    private func find() async {
        guard hasToLook, !Task.isCancelled else { return }
        do {
            let device = try await theDevice()
            let vault = try await vault(on: device)
            (failure, setupFault) = (nil, nil)
            if let vault { enter(vault, on: device) } else { onboard(on: device) }
        } catch let error as VaultError {
            (failure, setupFault) = (error.code, nil)
        } catch is CancellationError {
            // The screen went: the next start looks again.
        } catch {
            (failure, setupFault) = (nil, "\(error)")
        }
        show()
    }

    private func theDevice() async throws -> Device {
        if let device { return device }
        let made = try await makeDevice()
        device = made
        return made
    }

    /// The vault, locked; nil only when there is none.
    private func vault(on device: Device) async throws(VaultError) -> Vault? {
        do throws(VaultError) {
            return try await Vault.open(in: folder, device: device, configuration: configuration(device))
        } catch  where error.code == .vaultMissing {
            return nil
        }
    }

    private func onboard(on device: Device) {
        let model = OnboardingModel(
            in: folder,
            on: device,
            policy: policy,
            secret: secret,
            configuration: configuration(device)
        ) { [weak self] in self?.enter($0, on: device) }
        model.language = language
        onboarding = model
        show()
    }

    private func enter(_ vault: Vault, on device: Device) {
        onboarding = nil
        self.vault = vault
        if #available(iOS 17, macOS 14, visionOS 1, *) {
            lock = AppUnlockModel(vault, secret: secret)
        } else {
            lock = AppUnlockObject(vault, secret: secret)
        }
        tellLanguage()
        opened(vault, device)
        show()
    }

    /// Takes a vault that was made in another way, such as of a former app's wallet.
    package func adopt(_ vault: Vault) {
        guard self.vault == nil, let device else { return }
        enter(vault, on: device)
    }

    private func tellLanguage() {
        lock?.language = language
        onboarding?.language = language
        recovery?.language = language
    }
}
