public import Thumbturn
public import ThumbturnAccount
public import ThumbturnCrypto
public import ThumbturnRules
public import ThumbturnUI

// What the models ask of an account's vault, or of the place where one will be. As for `ScreenVault`, another
// implementation can refuse calls, but opens nothing.

/// The calls that an `AccountEntryModel` needs; an `AccountSetup` implements them.
public protocol AccountEntryVaults: Sendable {
    /// Registers an account, and creates a vault on this device.
    ///
    /// - Throws: as `AccountVault.register`.
    func register(
        _ name: String,
        password: borrowing SecretBytes
    ) async throws(VaultError) -> AccountVault.Enrolled

    /// Logs in on this device, and creates a vault on it.
    ///
    /// - Throws: as `AccountVault.logIn`.
    func logIn(_ name: String, password: borrowing SecretBytes) async throws(VaultError) -> AccountVault.Enrolled
}

/// What is on a device where an account's vault may be.
@nonexhaustive
public enum AccountFound: Sendable {
    /// No vault.
    case nothing
    /// An account's vault, locked.
    case vault(AccountVault)
    /// An account's vault that knows its service at another address, and the move that its owner may agree to.
    case elsewhere(AccountVault, any AccountMoveVault)
}

/// The calls that an `AccountScreensModel` needs; an `AccountSetup` implements them.
public protocol AccountScreensVaults: AccountEntryVaults {
    /// Looks for a vault, and opens it locked.
    ///
    /// - Throws: as `AccountVault.open`, but for a vault that is missing, or whose service is elsewhere.
    func find() async throws(VaultError) -> AccountFound
}

/// The calls that a `PasswordChangeModel` needs as well; an `AccountVault` implements them.
public protocol PasswordChangeVault: ScreenVault {
    /// Changes the account's password.
    ///
    /// - Throws: as `AccountVault.changePassword(from:to:)`.
    func changePassword(
        from former: borrowing SecretBytes,
        to password: borrowing SecretBytes
    ) async throws(VaultError) -> StrongAuthorization
}

/// The calls that an `AccountDevicesModel` needs as well; an `AccountVault` implements them.
public protocol AccountDevicesVault: ScreenVault {
    /// Lists the account's devices.
    ///
    /// - Throws: as `AccountVault.devices(_:)`.
    func devices(_ password: borrowing SecretBytes) async throws(VaultError) -> [AccountVault.ListedDevice]

    /// Revokes a device by its identifier.
    ///
    /// - Throws: as `AccountVault.revoke(_:_:)`.
    func revoke(_ text: String, _ password: borrowing SecretBytes) async throws(VaultError) -> String
}

/// The calls that an `AccountMoveModel` needs as well; an `AccountMove` implements them.
public protocol AccountMoveVault: ScreenVault {
    /// Where the vault knows its service, and where it is to be asked.
    var addresses: AccountMoveFields.Addresses { get async }

    /// Follows the service with a login there.
    ///
    /// - Returns: the same vault over the other transport, unlocked.
    /// - Throws: as `AccountVault.move(to:with:acceptsWeaker:)`.
    func follow(with password: borrowing SecretBytes) async throws(VaultError) -> AccountVault
}

/// The calls that a `DeliveryModel` needs as well; an `AccountVault` implements them.
public protocol DeliveryVault: ScreenVault {
    /// How far the account's log has this device's events; nil for a vault without an account.
    func delivery() async -> DeliveryFields.Waiting?

    /// Sends what waits, also what the service refused before.
    ///
    /// - Throws: `.auditUnavailable` if the service can't take it now, or why it refuses.
    func deliverNow() async throws(VaultError)
}
