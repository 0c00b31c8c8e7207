import Testing
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

/// Nothing was released, so a file has one format; what will raise it is tried with a planted next one.
@Suite struct NextFormatTests {
    private static let table = "CREATE TABLE planted (id INTEGER PRIMARY KEY, body BLOB NOT NULL)"
    private static let next = VaultStore.format.next(
        schema: VaultStore.format.newest.schema + [table],
        upgrade: [table]
    )

    @Test(.holds("A40")) func `a vault rises with its next change, and the former program leaves it alone`()
        async throws
    {
        let made = try await TestVault.make()
        let wallet = try await made.add("Main")
        await made.vault.close()
        let vault = try Vault(
            folder: made.path,
            device: made.device,
            configuration: TestVault.configuration(),
            store: VaultStore(openingIn: made.path, vfs: nil, format: Self.next),
            state: LockedState(reading: VaultStore.Contents(), on: made.device.kind)
        )
        _ = try await vault.refresh()
        try await vault.unlock(with: SecretBytes(text: TestVault.pin))
        // To open changes nothing that needs the next format.
        try VaultStore(openingIn: made.path, vfs: nil).close()
        try await vault.renameWallet(wallet.id, to: WalletName("Renamed"))
        #expect(try await vault.wallets().map(\.name.text) == ["Renamed"])
        await vault.close()
        #expect(await refusal { try await made.reopened() } == .vaultNewer)
        try VaultStore(openingIn: made.path, vfs: nil, format: Self.next).close()
    }
}
