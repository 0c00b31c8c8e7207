package import Thumbturn
import ThumbturnCrypto
package import ThumbturnDevice
package import ThumbturnJSON
package import ThumbturnRules
package import ThumbturnScreenJSON
package import ThumbturnUI

/// The app with a vault behind a PIN or password: `VaultScreensModel`, and the models of the vault that it opened.
@MainActor package final class HostedVault: HostedApp {
    /// Opens the vault, or makes it.
    package let model: VaultScreensModel
    /// The models of its screens; nil before it is found or made, and after it was erased.
    package private(set) var models: VaultModels?
    package var changed: (@MainActor () -> Void)?
    package var language: Language {
        get { model.language }
        set {
            model.language = newValue
            models?.language = newValue
        }
    }

    private let home: String
    private let systemMode: SystemModeOffer?
    private var phase: AppPhase?

    /// Prepares to open the vault, or to make it with its owner.
    ///
    /// - Parameters:
    ///   - configuration: where the vault is, and how it speaks.
    ///   - systemMode: the feature flag's offer to this user; nil hides turning system authentication on.
    ///   - vaultConfiguration: the app's choices.
    ///   - opened: called with each vault that was opened or made, before it is shown.
    ///   - device: makes the device.
    package init(
        _ configuration: HostConfiguration,
        systemMode: SystemModeOffer?,
        vaultConfiguration: @escaping @Sendable (Device) -> VaultConfiguration,
        opened: @escaping @MainActor (Vault, Device) -> Void = { _, _ in },
        device: @escaping @Sendable () async throws -> Device
    ) {
        home = configuration.home
        self.systemMode = systemMode
        model = VaultScreensModel(
            in: configuration.home,
            policy: configuration.policy,
            secret: configuration.secret,
            configuration: vaultConfiguration,
            opened: opened,
            device: device
        )
        model.language = configuration.language
        model.changed = { [weak self] in self?.follow() }
    }

    package var secret: SecretKind { model.secret }

    package var screens: [(String, JSON)] {
        let around: [(String, JSON)] = [
            ("app", model.fields.json(in: language)),
            ("onboarding", model.onboarding?.fields.json(in: language, asking: secret) ?? .null),
            ("recover", model.recovery?.fields.json(in: language, asking: secret) ?? .null),
        ]
        return around + (models?.screens ?? VaultModels.none)
    }

    package var core: Vault? { models?.core }

    package var isOpen: Bool { models?.unlock.fields.scope != nil }

    package func start() async { await model.start() }

    package func appBecame(_ phase: AppPhase) {
        self.phase = phase
        model.lock?.appBecame(phase)
        model.onboarding?.appBecame(phase)
        model.recovery?.appBecame(phase)
    }

    package func stop() {
        model.stop()
        model.endRecovery()
        models?.stop()
    }

    package func close() async {
        // A vault that was made, and not handed over yet.
        model.onboarding?.goOn()
        models = nil
        await model.vault?.close()
    }

    /// Takes the models that have come, and leaves those that went.
    private func follow() {
        if model.vault !== models?.core { models = model.vault.flatMap(made) }
        if let onboarding = model.onboarding, onboarding.changed == nil {
            onboarding.changed = { [weak self] in self?.changed?() }
            if let phase { onboarding.appBecame(phase) }
        }
        if let recovery = model.recovery, recovery.changed == nil {
            recovery.changed = { [weak self] in self?.changed?() }
            if let phase { recovery.appBecame(phase) }
        }
        changed?()
    }

    private func made(_ vault: Vault) -> VaultModels? {
        guard let lock = model.lock else { return nil }
        if let phase { lock.appBecame(phase) }
        return VaultModels(
            vault,
            core: vault,
            lock: lock,
            system: SystemSettingsObject(vault, offer: systemMode, secret: secret),
            pin: PINChangeModel(vault, secret: secret),
            backups: home,
            changed: { [weak self] in self?.changed?() }
        )
    }
}

// Actions.
extension HostedVault {
    package func action(_ json: JSON) throws(ScreenActionError) -> HostedAction {
        let action = try ScreenAction(json)
        return HostedAction(takesSecret: action.takesSecret) { [self] in await perform(action, $0) }
    }

    private func perform(_ action: ScreenAction, _ secret: HeldSecret?) async -> HostReply {
        switch action {
        case .app(let action): await perform(action)
        case .onboarding(let action): await perform(action, secret)
        case .recover(let action): await perform(action, secret)
        case .unlock(.newWallet): await makeAnew()
        case .unlock, .biometrics, .system, .pin, .recoveryKey, .words, .backup, .trail, .wallets:
            if let models { await models.perform(action, secret) } else { refused(.vaultMissing) }
        }
    }

    private func perform(_ action: VaultScreensAction) async -> HostReply {
        switch action {
        case .start: await model.start()
        case .recover: model.recover()
        case .endRecovery: model.endRecovery()
        }
        guard case .failed(let error) = model.fields.screen else { return HostReply(nil) }
        return HostReply(error)
    }

    private func perform(_ action: OnboardingAction, _ secret: HeldSecret?) async -> HostReply {
        guard let onboarding = model.onboarding else { return refused(.vaultExists) }
        switch action {
        case .submitSecret: if let secret { await onboarding.enter(secret.bytes) }
        case .answer(let agrees): await onboarding.answer(agrees ? onboarding.consent() : nil)
        case .goOn: onboarding.goOn()
        case .resetError: onboarding.resetError()
        }
        return HostReply(onboarding.error)
    }

    private func perform(_ action: RecoverAction, _ secret: HeldSecret?) async -> HostReply {
        guard let recovery = model.recovery else { return refused(.consentMissing) }
        switch action {
        case .submitSecret: if let secret { await recovery.enter(secret.bytes) }
        case .acceptOlderCopy(let typed): await recovery.acceptOlderCopy(typed: typed)
        case .onlyExport: await recovery.onlyExport()
        case .askToErase: recovery.askToErase()
        case .useRecoveryKey: recovery.useRecoveryKey()
        case .erase(let typed): await recovery.erase(typed: typed)
        case .goOn: recovery.goOn()
        case .cancel: recovery.cancel()
        }
        return HostReply(recovery.error)
    }

    /// Begins a new vault in place of one that was erased.
    private func makeAnew() async -> HostReply {
        guard model.lock?.screen == .erased else { return refused(.confirmationMissing) }
        await model.newWallet()
        return HostReply(nil)
    }

    private func refused(_ code: ErrorCode) -> HostReply {
        let device = model.device?.kind ?? .simulated
        return HostReply(UserError(code, VaultSnapshot(policy: model.policy, device: device), in: language))
    }
}
