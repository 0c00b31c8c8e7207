import Thumbturn
public import ThumbturnAccount
import ThumbturnRules
public import ThumbturnUI

/// Takes an app from nothing to an account's vault behind a lock screen.
///
/// `start()` looks for a vault; then `screen` names the model that is shown: `entry`, `move`, or `lock`. Use one for
/// each window.
@MainActor public final class AccountScreensModel: AccountScreenModel<AccountScreensFields> {
    /// The model of the entry; nil on other screens.
    public private(set) var entry: AccountEntryModel?
    /// The model of the question whether the service has moved; nil where that is not asked.
    public private(set) var move: AccountMoveModel?
    /// The model of the lock screen; nil before there is a vault.
    public private(set) var lock: AppUnlockObject?
    /// The vault; nil before there is one.
    public private(set) var account: AccountVault?
    /// Why device or vault can't be read, for an app's log; nil when they can.
    public private(set) var failure: (any Error)?

    private let setUp: @Sendable () async throws -> any AccountScreensVaults
    private let prompt: PromptText?
    private var vaults: (any AccountScreensVaults)?
    private var progress: AccountScreensFields.Progress
    private var moving: (any AccountMoveVault)?
    private var watcher: Task<Void, Never>?

    /// Describes an app's screens; nothing is read before `start()`.
    ///
    /// - Parameters:
    ///   - prompt: the text of the system's prompt; nil for ours.
    ///   - setUp: makes device, transport and place of the vault; called again after a failure.
    public convenience init(
        prompt: PromptText? = nil,
        _ setUp: @escaping @Sendable () async throws -> any AccountScreensVaults
    ) {
        self.init(.init(), prompt: prompt, setUp)
    }

    /// Shows one screen without a vault, for a preview or a test.
    public convenience init(showing progress: AccountScreensFields.Progress, error: ErrorCode? = nil) {
        self.init(progress, prompt: nil) { throw VaultError(.locked) }
        switch progress.screen {
        case .entry: entry = AccountEntryModel(showing: .init())
        case .move: move = AccountMoveModel(showing: .question, .init(known: "", asked: ""))
        case .vault: lock = AppUnlockObject(showing: VaultSnapshot(policy: .pd107), secret: .password)
        case .opening, .failed: break
        }
        refuse(error)
    }

    private init(
        _ progress: AccountScreensFields.Progress,
        prompt: PromptText?,
        _ setUp: @escaping @Sendable () async throws -> any AccountScreensVaults
    ) {
        (self.progress, self.prompt, self.setUp) = (progress, prompt, setUp)
        super.init(AccountScreensFields(progress, AccountSurroundings()), sleep: nil)
        describing = { [unowned self] in AccountScreensFields(self.progress, around) }
    }

    deinit { watcher?.cancel() }
}

extension AccountScreensModel {
    /// Looks for a vault, and shows the screen that follows; does nothing once there is one.
    public func start() async {
        guard [.opening, .failed].contains(progress.screen) else { return }
        await run { [weak self] (_) throws(VaultError) in
            guard let self else { return }
            failure = nil
            go(to: .opening)
            do throws(VaultError) { show(try await ready().find()) } catch {
                failure = failure ?? error
                progress.screen = .failed
                throw error
            }
        }
    }

    /// Starts anew once a vault was erased: the next screen is the entry.
    public func startAgain() async {
        guard !isCalling, let account else { return }
        leave()
        await account.vault.close()
        await start()
    }

    /// Leaves the vault where it knows its service: only a finger or face opens it, until `askAboutMove()`.
    public func stay() {
        guard progress.screen == .move, let account else { return }
        progress.isElsewhere = true
        open(account)
    }

    /// Asks again whether the service has moved.
    public func askAboutMove() {
        guard let moving, let account else { return }
        leave()
        ask(moving, account)
    }

    private func ready() async throws(VaultError) -> any AccountScreensVaults {
        if let vaults { return vaults }
        do {
            let made = try await setUp()
            vaults = made
            return made
        } catch let error as VaultError {
            throw error
        } catch {
            // A mistake in the app's project, which its log tells.
            failure = error
            throw VaultError(.storageUnavailable)
        }
    }

    private func show(_ found: AccountFound) {
        switch found {
        case .nothing:
            guard let vaults else { return }
            entry = AccountEntryModel(vaults) { [weak self] in self?.open($0) }
            go(to: .entry)
        case .vault(let account): open(account)
        case .elsewhere(let account, let move): ask(move, account)
        }
    }

    private func ask(_ moving: any AccountMoveVault, _ account: AccountVault) {
        (self.moving, self.account) = (moving, account)
        move = AccountMoveModel(moving) { [weak self] moved in
            self?.moving = nil
            self?.progress.isElsewhere = false
            self?.open(moved)
        }
        go(to: .move)
    }

    private func open(_ account: AccountVault) {
        (entry, move) = (nil, nil)
        self.account = account
        lock = AppUnlockObject(account, secret: .password, prompt: prompt)
        watcher?.cancel()
        watcher = Task { [weak self] in
            for await _ in await account.snapshots() {
                let isRemoved = await account.vault.isOnRevokedDevice
                self?.note(isRemoved: isRemoved)
            }
        }
        go(to: .vault)
    }

    private func note(isRemoved: Bool) {
        progress.isRemoved = isRemoved
        show()
    }

    private func leave() {
        watcher?.cancel()
        (entry, move, lock, account) = (nil, nil, nil, nil)
        progress = .init()
    }

    private func go(to screen: AccountScreensFields.Screen) {
        progress.screen = screen
        refuse(nil)
    }
}
