public import ThumbturnAccount
public import ThumbturnCrypto
import ThumbturnDevice
public import ThumbturnRules
import ThumbturnUI

/// A vault's way to its account's service at another address.
public struct AccountMove: AccountMoveVault {
    private let account: AccountVault
    private let transport: AccountTransport

    /// Describes a move that the owner may agree to; it asks nothing yet.
    ///
    /// - Parameters:
    ///   - account: the vault, over whichever transport it was opened.
    ///   - transport: the transport to the service at its other address.
    public init(of account: AccountVault, to transport: AccountTransport) {
        (self.account, self.transport) = (account, transport)
    }

    /// Reads the device's clocks.
    public var now: ClockReading { account.now }

    /// Where the vault knows its service, and where it is to be asked.
    public var addresses: AccountMoveFields.Addresses {
        get async { .init(known: await account.vault.account?.service.address ?? "", asked: transport.origin) }
    }

    /// Streams every snapshot of the vault.
    public func snapshots() async -> AsyncStream<VaultSnapshot> { await account.snapshots() }

    /// Unlocks over the vault's own transport.
    public func unlock(with secret: borrowing SecretBytes) async throws(VaultError) -> StrongAuthorization {
        try await account.unlock(with: secret)
    }

    /// Follows the service with a login there.
    public func follow(with password: borrowing SecretBytes) async throws(VaultError) -> AccountVault {
        try await account.move(to: transport, with: password).account
    }
}
