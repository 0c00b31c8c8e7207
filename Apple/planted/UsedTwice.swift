// expect: 'authorization' consumed more than once
import Thumbturn

func erase(_ wallets: [Identifier], of vault: Vault, _ authorization: consuming StrongAuthorization) async throws {
    try await vault.disableBiometrics(authorization)
    try await vault.disableBiometrics(authorization)
}
