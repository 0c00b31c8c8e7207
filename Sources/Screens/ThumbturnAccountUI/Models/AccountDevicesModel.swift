import ThumbturnAccount
public import ThumbturnCrypto
import ThumbturnRules
import ThumbturnUI

/// Lists an account's devices, and revokes one: each needs the password, which `enter(_:)` takes.
///
/// The list is forgotten when the vault is locked, and when the screen goes.
@MainActor public final class AccountDevicesModel: AccountScreenModel<AccountDevicesFields> {
    private let vault: any AccountDevicesVault
    private var progress: AccountDevicesFields.Progress

    /// Starts to follow a vault.
    public convenience init(_ vault: any AccountDevicesVault) { self.init(vault, .init(), sleep: nil) }

    /// Shows one step without a vault, for a preview or a test of the screen: every call is refused.
    public convenience init(showing progress: AccountDevicesFields.Progress) {
        self.init(StillAccount(), progress, sleep: nil)
    }

    init(_ vault: any AccountDevicesVault, _ progress: AccountDevicesFields.Progress, sleep: Sleep?) {
        (self.vault, self.progress) = (vault, progress)
        super.init(AccountDevicesFields(progress, AccountSurroundings()), sleep: sleep)
        describing = { [unowned self] in AccountDevicesFields(self.progress, around) }
        follow(vault)
    }

    override func lockedMeanwhile() { progress = .init() }

    /// Leaves the screen: forgets the list, and ends a call that is still under way.
    public override func cancel() {
        progress = .init()
        super.cancel()
    }
}

extension AccountDevicesModel {
    /// Asks for the password, to revoke a device other than this one; ignores any other identifier.
    public func askToRevoke(_ id: String) {
        guard !isCalling, progress.step == .list else { return }
        guard let device = progress.devices.first(where: { $0.id == id }), !device.isThis else { return }
        progress.revoked = nil
        progress.step = .revocation(device)
        refuse(nil)
    }

    /// Returns to the list without revoking.
    public func back() {
        guard !isCalling, case .revocation = progress.step else { return }
        progress.step = .list
        refuse(nil)
    }

    /// Lists or revokes with the password.
    public func enter(_ secret: borrowing SecretBytes) async {
        guard mayAsk else { return }
        let password = HeldSecret(secret.copy())
        switch progress.step {
        case .password: await list(with: password)
        case .revocation(let device): await revoke(device, with: password)
        case .list: break
        }
    }

    private func list(with password: HeldSecret) async {
        let vault = vault
        await run { [weak self] (isHere) throws(VaultError) in
            let devices = try await vault.devices(password.bytes)
            if isHere() { self?.show(devices) }
        }
    }

    private func revoke(_ device: AccountVault.ListedDevice, with password: HeldSecret) async {
        let vault = vault
        await run { [weak self] (isHere) throws(VaultError) in
            _ = try await vault.revoke(device.id, password.bytes)
            guard isHere() else { return }
            // Whatever becomes of the list, it is revoked.
            self?.progress = AccountDevicesFields.Progress()
            self?.progress.revoked = device
            let devices = try await vault.devices(password.bytes)
            if isHere() { self?.show(devices) }
        }
    }

    private func show(_ devices: [AccountVault.ListedDevice]) {
        // A lock that overtook the call has the last word (A36).
        guard snapshot?.state.hasSession != false else { return }
        progress.devices = devices
        progress.step = .list
    }
}
