import Thumbturn
import ThumbturnAccount
import ThumbturnAccountUI
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator

/// A second device of the account's owner: another simulated one, whose vault asks the same service.
@MainActor final class OtherDevice {
    private let setup: AccountSetup
    private var account: AccountVault?

    init(_ place: PhonePlace, over transport: AccountTransport) throws(DeviceRefusal) {
        setup = AccountSetup(
            in: place.otherVault,
            on: try SimulatedDevice(folder: place.otherDevice).device,
            over: transport,
            deviceName: "tablet",
            policy: .pd107.allowing(.simulated)
        )
    }

    /// Changes the account's password.
    ///
    /// - Parameter phone: the phone's vault, which names the account.
    func changePassword(of phone: Vault, from former: HeldSecret, to password: HeldSecret) async throws(VaultError) {
        let account = try await account(of: phone, former)
        _ = try await account.changePassword(from: former.bytes, to: password.bytes)
    }

    /// Takes the phone off the account's list.
    func revoke(_ phone: Vault, _ password: HeldSecret) async throws(VaultError) {
        let account = try await account(of: phone, password)
        try await account.revoke(phone.requiredAccount.device.text, password.bytes)
    }

    func end() async { await account?.vault.close() }

    /// Finds the vault of this device, or logs in.
    private func account(of phone: Vault, _ password: HeldSecret) async throws(VaultError) -> AccountVault {
        if let account { return account }
        let found: AccountVault
        switch try await setup.find() {
        case .vault(let account), .elsewhere(let account, _): found = account
        case .nothing: found = try await setup.logIn(phone.requiredAccount.name, password: password.bytes).account
        }
        account = found
        return found
    }
}
