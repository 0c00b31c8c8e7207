package import ThumbturnRules

/// Returns the error that `body` throws; one that is not the library's becomes `.usage`, which no vault throws.
package func fault<Result: ~Copyable>(_ body: () async throws -> Result) async -> VaultError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? VaultError ?? VaultError(.usage, "not the library's: \(error)")
    }
}

/// Returns the code of the error that `body` throws; `nil` if it succeeds.
package func refusal<Result: ~Copyable>(_ body: () async throws -> Result) async -> ErrorCode? {
    await fault(body)?.code
}
