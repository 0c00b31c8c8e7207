import Testing
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

/// Somebody has an account's keys, as its password and envelope give them, and copies of what lies on its devices.
@Suite struct AccountThiefTests {
    private func refusal(_ body: () async throws -> Void) async -> ErrorCode? {
        do {
            try await body()
            return nil
        } catch { return (error as? VaultError)?.code }
    }

    @Test(.holds("A1")) func `a copy of the folder opens on no other device, with all the keys of the account`()
        async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        await made.vault.close()
        let copy = try await made.reopened(seenAs: SimulatedDevice().device)
        #expect(await copy.vault.snapshot.condition == .keyMissing)
        #expect(await refusal { try await copy.strong(account) } == .keyMissing)
        #expect(await refusal { try await copy.touch() } == .keyMissing)
        await copy.vault.close()
        try await made.reopened().strong(account)
    }

    @Test(.holds("A7"))
    func `a copy from before the password changed opens on its own device with neither key, nor with the finger`()
        async throws
    {
        let account = TestAccount()
        let made = try await TestVault.make(of: account, biometrics: true)
        await made.vault.close()
        let former = try made.folder.read("vault/vault.sqlite")
        account.changePassword()
        let later = try await made.reopened()
        try await later.strong(account)
        await later.vault.close()
        try made.folder.write(former, to: "vault/vault.sqlite")
        let copy = try await made.reopened()
        #expect(await copy.vault.snapshot.condition == .keyMissing)
        // The envelope still has both keys: another device may need the former one.
        #expect(await refusal { try await copy.strong(account) } == .keyMissing)
        #expect(await refusal { try await copy.touch() } == .keyMissing)
    }
}
