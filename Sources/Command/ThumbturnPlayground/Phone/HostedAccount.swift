import Thumbturn
import ThumbturnAccount
import ThumbturnAccountUI
import ThumbturnCrypto
import ThumbturnHost
import ThumbturnJSON
import ThumbturnRules
import ThumbturnScreenJSON
import ThumbturnUI

/// The app with an account's vault: `AccountScreensModel`, and the models of the vault that it opened.
@MainActor final class HostedAccount: PhoneApp {
    let secret = SecretKind.password
    var language: Language {
        get { model.language }
        set {
            model.language = newValue
            follow()
        }
    }
    var changed: (@MainActor () -> Void)?

    /// The models of one vault.
    private struct Models {
        let vault: VaultModels
        let devices: AccountDevicesModel
        let password: PasswordChangeModel
        let delivery: DeliveryModel
    }

    private let model: AccountScreensModel
    private let home: String
    private let opened: @MainActor (Vault) -> Void
    private var models: Models?
    private var phase: AppPhase?

    /// Prepares to open the account's vault, or to make it with its owner.
    ///
    /// - Parameters:
    ///   - home: the path of the folder for backups.
    ///   - opened: called with each vault that was opened or made, before it is shown.
    ///   - setUp: makes the place of the vault, and the way to the service.
    init(
        home: String,
        opened: @escaping @MainActor (Vault) -> Void,
        _ setUp: @escaping @Sendable () async throws -> any AccountScreensVaults
    ) {
        (self.home, self.opened) = (home, opened)
        model = AccountScreensModel(setUp)
        model.changed = { [weak self] in self?.follow() }
    }

    var core: Vault? { models?.vault.core }
    var isOpen: Bool { models?.vault.unlock.fields.scope != nil }

    func authorization(with secret: HeldSecret) async throws(VaultError) -> StrongAuthorization {
        guard let account = model.account else { throw VaultError(.vaultMissing) }
        return try await account.unlock(with: secret.bytes)
    }

    var screens: [(String, JSON)] {
        [
            ("account", model.fields.json(in: language)),
            ("accountDevices", models?.devices.fields.json(in: language) ?? .null),
            ("accountEntry", model.entry?.fields.json(in: language) ?? .null),
            ("accountMove", model.move?.fields.json(in: language) ?? .null),
            ("accountPassword", models?.password.fields.json(in: language) ?? .null),
            ("delivery", models?.delivery.fields.json(in: language) ?? .null),
        ] + (models?.vault.screens ?? VaultModels.none)
    }

    func start() async { await model.start() }

    func appBecame(_ phase: AppPhase) {
        self.phase = phase
        model.entry?.appBecame(phase)
        model.lock?.appBecame(phase)
    }

    func stop() {
        model.cancel()
        model.entry?.cancel()
        model.move?.cancel()
        models?.vault.stop()
        models?.devices.cancel()
        models?.password.cancel()
        models?.delivery.cancel()
    }

    func close() async {
        models = nil
        await model.account?.vault.close()
    }

    /// Takes the models that have come, leaves those that went, and tells all of them the language.
    private func follow() {
        if model.lock !== models?.vault.unlock { models = made() }
        adopt(model.entry) { $0.appBecame($1) }
        adopt(model.move)
        model.lock?.language = language
        models?.vault.language = language
        models?.devices.language = language
        models?.password.language = language
        models?.delivery.language = language
        changed?()
    }

    private func made() -> Models? {
        guard let account = model.account, let lock = model.lock else { return nil }
        lock.language = language
        if let phase { lock.appBecame(phase) }
        let models = Models(
            vault: VaultModels(
                account,
                core: account.vault,
                lock: lock,
                system: nil,
                pin: nil,
                backups: home,
                changed: { [weak self] in self?.changed?() }
            ),
            devices: AccountDevicesModel(account),
            password: PasswordChangeModel(account),
            delivery: DeliveryModel(account)
        )
        adopt(models.devices)
        adopt(models.password)
        adopt(models.delivery)
        opened(account.vault)
        return models
    }

    /// Follows a model from now on, once.
    private func adopt<Model: ScreenModel<Fields>, Fields: Hashable & Sendable>(
        _ model: Model?,
        _ tell: (Model, AppPhase) -> Void = { _, _ in }
    ) {
        guard let model else { return }
        model.language = language
        guard model.changed == nil else { return }
        model.changed = { [weak self] in self?.changed?() }
        if let phase { tell(model, phase) }
    }
}

// Actions: each is one call of a model, which decides.
extension HostedAccount {
    func action(_ json: JSON) throws(ScreenActionError) -> HostedAction {
        switch try PhoneAction(json) {
        case .account(let action):
            return HostedAction(takesSecret: action.takesSecret) { [self] in await perform(action, $0) }
        case .screen(let action):
            return HostedAction(takesSecret: action.takesSecret) { [self] in await perform(action, $0) }
        case .app: throw .unknownAction
        }
    }

    private func perform(_ action: ScreenAction, _ secret: HeldSecret?) async -> HostReply {
        guard let models else { return refused(.vaultMissing) }
        guard action == .unlock(.newWallet) else { return await models.vault.perform(action, secret) }
        // In place of a vault that was erased.
        guard model.lock?.screen == .erased else { return refused(.confirmationMissing) }
        await model.startAgain()
        return HostReply(model.error)
    }

    private func perform(_ action: AccountScreenAction, _ secret: HeldSecret?) async -> HostReply {
        // A model drops a call while another is under way, which "done" would hide from who gave the secret.
        if action.takesSecret, isCalling(for: action) { return refused(.busy) }
        switch action {
        case .account(let action): return await perform(action)
        case .entry(let action): return await perform(action, secret)
        case .devices(let action): return await perform(action, secret)
        case .password(let action): return await perform(action, secret)
        case .move(let action): return await perform(action, secret)
        case .delivery(let action): return await perform(action)
        }
    }

    private func perform(_ action: AccountScreensAction) async -> HostReply {
        switch action {
        case .start: await model.start()
        case .startAgain: await model.startAgain()
        case .stay: model.stay()
        case .askAboutMove: model.askAboutMove()
        }
        return HostReply(model.error)
    }

    private func perform(_ action: AccountEntryAction, _ secret: HeldSecret?) async -> HostReply {
        guard let entry = model.entry else { return refused(.vaultExists) }
        switch action {
        case .choose(let way): entry.choose(way)
        case .enterName(let account): entry.enterName(account)
        case .submitSecret: if let secret { await entry.enter(secret.bytes) }
        case .answerOffer(let agrees): await entry.answerOffer(agrees ? entry.consent() : nil)
        case .back: entry.back()
        case .cancel: entry.cancel()
        }
        return HostReply(entry.error)
    }

    private func perform(_ action: AccountDevicesAction, _ secret: HeldSecret?) async -> HostReply {
        guard let devices = models?.devices else { return refused(.vaultMissing) }
        switch action {
        case .submitSecret: if let secret { await devices.enter(secret.bytes) }
        case .askToRevoke(let device): devices.askToRevoke(device)
        case .back: devices.back()
        case .cancel: devices.cancel()
        }
        return HostReply(devices.error)
    }

    private func perform(_ action: PasswordChangeAction, _ secret: HeldSecret?) async -> HostReply {
        guard let password = models?.password else { return refused(.vaultMissing) }
        switch action {
        case .submitSecret: if let secret { await password.enter(secret.bytes) }
        case .startAgain: password.startAgain()
        case .cancel: password.cancel()
        }
        return HostReply(password.error)
    }

    private func perform(_ action: AccountMoveAction, _ secret: HeldSecret?) async -> HostReply {
        guard let move = model.move else { return refused(.consentMissing) }
        switch action {
        case .agree: move.agree()
        case .submitSecret: if let secret { await move.enter(secret.bytes) }
        case .back: move.back()
        case .cancel: move.cancel()
        }
        return HostReply(move.error)
    }

    private func perform(_ action: DeliveryAction) async -> HostReply {
        guard let delivery = models?.delivery else { return refused(.vaultMissing) }
        switch action {
        case .refresh: await delivery.refresh()
        case .send: await delivery.send()
        }
        return HostReply(delivery.error)
    }

    private func isCalling(for action: AccountScreenAction) -> Bool {
        switch action {
        case .account: model.isCalling
        case .entry: model.entry?.isCalling == true
        case .devices: models?.devices.isCalling == true
        case .password: models?.password.isCalling == true
        case .move: model.move?.isCalling == true
        case .delivery: models?.delivery.isCalling == true
        }
    }

    private func refused(_ code: ErrorCode) -> HostReply {
        HostReply(UserError(ofAccount: code, VaultSnapshot(policy: .pd107, device: .simulated), in: language))
    }
}
