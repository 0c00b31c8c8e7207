import Thumbturn
import ThumbturnAccount
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnUI

/// Replaces an account in a preview: shows one snapshot, and refuses every call.
struct StillAccount: AccountEntryVaults, PasswordChangeVault, AccountDevicesVault, AccountMoveVault, DeliveryVault {
    var snapshot = VaultSnapshot(state: .unlocked(.full), policy: .pd107)
    var addresses = AccountMoveFields.Addresses(known: "", asked: "")
    var waiting: DeliveryFields.Waiting?
    let now = ClockReading(wall: .zero, boottime: .zero, bootID: .unnamedBoot(0))

    func snapshots() async -> AsyncStream<VaultSnapshot> { AsyncStream { $0.yield(snapshot) } }

    func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }

    func register(
        _ name: String,
        password: borrowing SecretBytes
    ) async throws(VaultError) -> AccountVault.Enrolled {
        throw VaultError(.locked)
    }

    func logIn(_ name: String, password: borrowing SecretBytes) async throws(VaultError) -> AccountVault.Enrolled {
        throw VaultError(.locked)
    }

    func changePassword(
        from former: borrowing SecretBytes,
        to password: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization {
        throw VaultError(.locked)
    }

    func devices(_ password: borrowing SecretBytes) async throws(VaultError) -> [AccountVault.ListedDevice] {
        throw VaultError(.locked)
    }

    func revoke(_ text: String, _ password: borrowing SecretBytes) async throws(VaultError) -> String {
        throw VaultError(.locked)
    }

    func follow(with password: borrowing SecretBytes) async throws(VaultError) -> AccountVault {
        throw VaultError(.locked)
    }

    func delivery() async -> DeliveryFields.Waiting? { waiting }

    func deliverNow() async throws(VaultError) { throw VaultError(.locked) }
}
