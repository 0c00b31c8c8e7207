import Foundation
import Testing
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnTestKit

@testable import Thumbturn

/// A vault and a backup of each format open for ever; until the first release there is one, and a change of it makes the
/// sample anew: `THUMBTURN_FREEZE=Tests/Vectors/vault/v1 swift test --filter Frozen`, the account's beside it.
@Suite struct FrozenVaultTests {
    @Test(.holds("K-01", "K-03", "K-04"), arguments: ["v1"])
    func `a frozen vault opens with its PIN, its finger and its recovery key`(version: String)
        async throws
    {
        try await FrozenVault(copying: FrozenVault.sample(version)).expectAllWaysIn()
    }

    @Test(arguments: ["v1"])
    func `a frozen backup opens with its recovery key, and becomes a vault`(version: String) async throws {
        try await FrozenVault(copying: FrozenVault.sample(version)).expectBackup()
    }

    @Test func `a file of the next format is refused by name, and nothing of it is changed`() async throws {
        let sample = try await FrozenVault.make()
        let next = VaultStore.format.newest.number + 1
        try sample.editFile { $0.replaceSubrange(60..<64, with: [0, 0, 0, UInt8(next)]) }
        let before = try sample.folder.read("vault/vault.sqlite")
        #expect(await refusal { try await Vault.open(in: sample.vaultPath, device: sample.device) } == .vaultNewer)
        #expect(try sample.folder.read("vault/vault.sqlite") == before)
    }

    @Test func `a vault made today opens like the frozen ones`() async throws {
        let sample = try await FrozenVault.make()
        if let folder = ProcessInfo.processInfo.environment["THUMBTURN_FREEZE"] { try sample.freeze(to: folder) }
        try await sample.expectAllWaysIn()
        try await sample.expectBackup()
    }
}
