import Thumbturn
import ThumbturnAccount
import ThumbturnRules
import ThumbturnUI

/// Follows the deliveries of an account's vault, and sends at its owner's request.
@MainActor public final class DeliveryModel: AccountScreenModel<DeliveryFields> {
    private let vault: any DeliveryVault
    private var waiting: DeliveryFields.Waiting?
    private var reader: Task<Void, Never>?

    /// Starts to follow a vault.
    public init(_ vault: any DeliveryVault) {
        self.vault = vault
        super.init(DeliveryFields(nil, AccountSurroundings()), sleep: nil)
        describing = { [unowned self] in DeliveryFields(waiting, around) }
        reader = Task { [weak self] in
            for await _ in await vault.snapshots() {
                let waiting = await vault.delivery()
                self?.take(waiting)
            }
        }
    }

    /// Shows one state without a vault, for a preview or a test of the screen: every call is refused.
    public convenience init(showing waiting: DeliveryFields.Waiting) {
        self.init(StillAccount(waiting: waiting))
        take(waiting)
    }

    deinit { reader?.cancel() }

    /// Reads again how far the log is: for a screen that appears.
    public func refresh() async { take(await vault.delivery()) }

    /// Sends what waits.
    public func send() async {
        let vault = vault
        await run { [weak self] (_) throws(VaultError) in
            do throws(VaultError) { try await vault.deliverNow() } catch {
                await self?.refresh()
                throw error
            }
            await self?.refresh()
        }
    }

    private func take(_ waiting: DeliveryFields.Waiting?) {
        self.waiting = waiting
        show()
    }
}
