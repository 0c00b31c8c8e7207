package import ThumbturnRules

/// The whole error that `body` ends with; one that is not the library's is told as `.usage`, which no vault throws.
package func fault<Result: ~Copyable>(_ body: () async throws -> Result) async -> VaultError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? VaultError ?? VaultError(.usage, "not the library's: \(error)")
    }
}

/// The code of the error that `body` ends with; nil when it succeeds.
package func refusal<Result: ~Copyable>(_ body: () async throws -> Result) async -> ErrorCode? {
    await fault(body)?.code
}
