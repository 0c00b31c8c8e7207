import Testing
import ThumbturnCrypto
import ThumbturnRules
import ThumbturnTestKit

@testable import Thumbturn

/// A vault that an app shares with an extension, which may use little memory.
@Suite struct VaultExtensionTests {
    private let small = Argon2Limits(memoryMiB: 19, passes: 2, ceilingMiB: 19)

    private func opened(_ made: TestVault, within limits: Argon2Limits) async throws -> Vault {
        try await Vault.open(in: made.path, device: made.device, configuration: VaultConfiguration(argon2: limits))
    }

    @Test(.holds("K-03"))
    func `a PIN that needs too much memory is refused as such, counts nothing, and opens in the app`()
        async throws
    {
        let made = try await TestVault.make(stretchedBy: Argon2Limits(memoryMiB: 20, passes: 2))
        await made.vault.close()
        let inExtension = try await opened(made, within: small)
        for _ in 1...4 {
            let code = await refusal { _ = try await inExtension.unlock(with: SecretBytes(text: TestVault.pin)) }
            #expect(code == .memoryNotAllowed)
        }
        #expect(ErrorCode.memoryNotAllowed.recovery == .mendEnvironment)
        await inExtension.close()
        let inApp = try await opened(made, within: Argon2Limits(memoryMiB: 20, passes: 2))
        try await inApp.unlock(with: SecretBytes(text: TestVault.pin))
        await inApp.close()
    }

    @Test func `a new PIN under the limits of the extension opens there, and a lower cost never replaces a higher one`()
        async throws
    {
        let made = try await TestVault.make(stretchedBy: Argon2Limits(memoryMiB: 20, passes: 2))
        await made.vault.close()
        // The app keeps its ceiling, so it opens the vault, and makes what is new cheaper.
        let inApp = try await opened(made, within: Argon2Limits(memoryMiB: 19, passes: 2))
        let proof = try await inApp.unlock(with: SecretBytes(text: TestVault.pin))
        #expect(await inApp.state.slot(.localSecret)?.argon2?.memoryKiB == 20_480)
        try await inApp.changeLocalSecret(to: SecretBytes(text: "840275"), proof)
        await inApp.close()
        let inExtension = try await opened(made, within: small)
        try await inExtension.unlock(with: SecretBytes(text: "840275"))
        await inExtension.close()
    }
}
