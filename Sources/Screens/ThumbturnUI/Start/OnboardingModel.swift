public import Thumbturn
public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules

/// Makes an app's vault with its owner: a PIN or password, the same again, and "Enable Biometric Unlock?" (B-02).
///
/// What was typed lies in locked memory until the vault is made. It is forgotten when the app goes to the background and
/// when the screen goes, and then has to be typed again.
@MainActor public final class OnboardingModel: ScreenModel<OnboardingFields> {
    /// Makes a vault from the secret that was chosen, and the owner's consent to biometrics if it was given.
    typealias Maker = @MainActor (HeldSecret, BiometricConsent?) async throws(VaultError) -> Vault.Creation

    /// The kind of secret that the owner chooses.
    public let secret: SecretKind
    /// The policy of the new vault.
    public let policy: VaultPolicy
    /// The PIN during entry.
    public let pin = PINEntry()

    private let device: Device?
    private let make: Maker
    private let made: @MainActor (Vault) -> Void
    private let call = ScreenCall()
    private var reached: OnboardingFields.Step
    /// What was chosen, until the vault is made of it.
    package private(set) var chosen: HeldSecret?
    /// The vault, while its owner reads why biometrics are not on.
    private var vault: Vault?
    private var isAway = false

    /// Prepares to make a vault.
    ///
    /// - Parameters:
    ///   - folder: the path of the vault's folder, as `Vault.create` makes it.
    ///   - device: the device that will guard the vault.
    ///   - policy: the rules of the vault.
    ///   - secret: the kind of secret that the owner chooses.
    ///   - configuration: the app's choices.
    ///   - made: receives the vault, open, once its owner has read what there is to read.
    public convenience init(
        in folder: String,
        on device: Device,
        policy: VaultPolicy = .wallet,
        secret: SecretKind = .pin(length: nil),
        configuration: VaultConfiguration = VaultConfiguration(),
        made: @escaping @MainActor (Vault) -> Void
    ) {
        self.init(on: device, policy: policy, secret: secret, made: made) { chosen, consent throws(VaultError) in
            try await Vault.create(
                in: folder,
                device: device,
                secret: chosen.bytes,
                policy: policy,
                biometrics: consent,
                configuration: configuration
            )
        }
    }

    /// Shows one step without a device, for a preview or a test of the screen; makes nothing.
    ///
    /// - Parameters:
    ///   - step: what to show.
    ///   - refusal: what was wrong with the last input.
    ///   - policy: the rules that biometrics have to meet.
    ///   - secret: the kind of secret that is asked for.
    public convenience init(
        showing step: OnboardingFields.Step,
        refusal: ErrorCode? = nil,
        policy: VaultPolicy = .wallet,
        secret: SecretKind = .pin(length: nil)
    ) {
        self.init(on: nil, policy: policy, secret: secret, made: { _ in }) { _, _ throws(VaultError) in
            throw VaultError(.locked)
        }
        reached = step
        refuse(refusal)
    }

    init(
        on device: Device?,
        policy: VaultPolicy,
        secret: SecretKind,
        made: @escaping @MainActor (Vault) -> Void,
        make: @escaping Maker
    ) {
        self.device = device
        self.policy = policy
        self.secret = secret
        self.made = made
        self.make = make
        reached = .secret
        super.init(OnboardingFields(OnboardingFields.Surroundings(policy: policy)))
        show()
    }

    override func described() -> OnboardingFields {
        var around = OnboardingFields.Surroundings(
            step: reached,
            policy: policy,
            device: device?.kind ?? .simulated,
            language: language
        )
        around.isBusy = isCalling
        around.refusal = refusal
        return OnboardingFields(around)
    }
}

// Calls by the user.
extension OnboardingModel {
    /// Continues with the PIN or password that the step asks for; in other steps it does nothing.
    ///
    /// A weak one is refused at once, and two different ones start over.
    public func enter(_ secret: borrowing SecretBytes) async {
        guard !isCalling, let device else { return }
        switch reached {
        case .secret:
            if let weakness = device.weakness(of: secret) { return refuse(weakness) }
            chosen = HeldSecret(secret.copy())
            move(to: .repeated)
        case .repeated:
            guard let chosen, SecretBytes.constantTimeEqual(chosen.bytes, secret) else { return startOver() }
            await offerBiometrics(on: device)
        case .biometrics, .making, .withoutBiometrics, .done:
            break
        }
    }

    /// Continues with the typed PIN, and wipes it.
    public func submitPIN() async {
        let typed = pin.take()
        await enter(typed)
    }

    /// Makes the vault, and turns biometrics on with its owner's consent; nil leaves them off.
    public func answer(_ consent: BiometricConsent?) async {
        guard case .biometrics = reached, !isCalling else { return }
        await makeVault(consent)
    }

    /// Hands over the vault once its owner has read why biometrics are not on.
    public func goOn() {
        guard case .withoutBiometrics = reached, let vault else { return }
        refuse(nil)
        hand(over: vault)
    }

    /// Returns the owner's consent to biometrics, given now: for the button below the explanation (F-107-02).
    public func consent() -> BiometricConsent { BiometricConsent(ownerAgreedAt: clock()) }

    /// Reads the device's clocks, for the time of a consent.
    var clock: @Sendable () -> ClockReading {
        guard let device else { return { SnapshotVault.now } }
        return device.clock
    }
}

// Calls by the app.
extension OnboardingModel {
    /// Reports the app's phase: what is half typed is wiped when the app is not in front, and what was chosen in the
    /// background.
    public func appBecame(_ phase: AppPhase) {
        isAway = phase == .background
        switch phase {
        case .active: break
        case .inactive: pin.clear()
        case .background:
            forget()
            lockIfAway(vault)
        }
    }

    /// Locks a vault in the background as its policy says: nobody follows it before it is handed over.
    private func lockIfAway(_ vault: Vault?) {
        guard isAway, policy.locksInBackground, let vault else { return }
        Task { await vault.lock() }
    }

    /// Forgets what was typed, and cancels the call in progress: the screen goes.
    ///
    /// A vault that this call makes all the same is handed over.
    public func clear() {
        forget()
        call.cancel()
    }

    private func forget() {
        pin.clear()
        chosen = nil
        switch reached {
        case .repeated, .biometrics: move(to: .secret)
        case .secret, .making, .withoutBiometrics, .done: break
        }
    }
}

// The steps.
extension OnboardingModel {
    private func offerBiometrics(on device: Device) async {
        var capability: BiometricCapability?
        await act { capability = await device.capability() }
        // The background may have wiped the secret meanwhile.
        guard let capability, chosen != nil else { return }
        guard capability.supported else { return await makeVault(nil) }
        move(to: .biometrics(capability))
    }

    private func makeVault(_ consent: BiometricConsent?) async {
        guard let secret = chosen else { return startOver() }
        chosen = nil
        reached = .making
        var creation: Vault.Creation?
        let isMade = await act { [call, make] () throws(VaultError) in
            try await call.run { () throws(VaultError) in creation = try await make(secret, consent) }
        }
        guard isMade, let creation else {
            // Its owner chooses again: the secret is gone, whatever the reason.
            reached = .secret
            return show()
        }
        guard let failure = creation.biometricsFailure else { return hand(over: creation.vault) }
        vault = creation.vault
        lockIfAway(vault)
        reached = .withoutBiometrics
        refuse(failure.code)
    }

    private func hand(over vault: Vault) {
        self.vault = nil
        lockIfAway(vault)
        move(to: .done)
        made(vault)
    }

    private func startOver() {
        chosen = nil
        reached = .secret
        refuse(.confirmationDiffers)
    }

    private func move(to next: OnboardingFields.Step) {
        reached = next
        refuse(nil)
    }
}
