package import ThumbturnRules

/// The whole error that `body` ends with.
package func fault<Result: ~Copyable>(_ body: () async throws -> Result) async -> VaultError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? VaultError
    }
}
