import COpenSSL
import Thumbturn
import ThumbturnAudit
import ThumbturnConsole
import ThumbturnCrypto
import ThumbturnJSON
import ThumbturnRules

/// The export of a long trail, verified as `audit verify` does, and read by the bare parts of that.
@safe final class BenchTrail {
    private let count: UInt64
    private let pieces: [[UInt8]]
    private let lines: [[UInt8]]
    private let digest = unsafe EVP_MD_fetch(nil, "SHA256", nil)

    /// Makes a vault's trail this long, and exports it.
    init(of bench: BenchVault, records count: UInt64) async throws {
        self.count = count
        let known = await bench.vault.trailSummary?.count ?? 0
        // The unlock that the export asks for is told too.
        try await bench.vault.insecurelyTell(.policyChanged, times: Int(count - known) - 1, together: true)
        let export = Collected()
        try await bench.vault.exportTrail(try await bench.vault.unlock(with: bench.secret)) { export.append($0) }
        let bytes = export.bytes
        pieces = stride(from: 0, to: bytes.count, by: 65_536).map { Array(bytes[$0..<min($0 + 65_536, bytes.count)]) }
        lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0) }
    }

    deinit { unsafe EVP_MD_free(digest) }

    func verify() throws {
        var rest = pieces[...]
        let result = try AuditVerifier.verify { () throws -> [UInt8]? in rest.popFirst() }
        guard case .success(let summary) = result, summary.count == count else {
            throw BenchError(what: "the export does not hold")
        }
    }

    /// Reads and hashes each line, and verifies nothing.
    func readBarely() throws {
        var hash = [UInt8](repeating: 0, count: 32)
        for line in lines {
            _ = try JSON(reading: line, byteLimit: line.count)
            _ = unsafe EVP_Digest(line, line.count, &hash, nil, digest, nil)
        }
    }
}

/// Bytes that a closure collects.
private final class Collected: @unchecked Sendable {
    // Safe to share: `lock` guards the one field.
    private let lock = Lock()
    private var kept: [UInt8] = []

    func append(_ piece: [UInt8]) { lock.withLock { kept += piece } }

    var bytes: [UInt8] { lock.withLock { kept } }
}
