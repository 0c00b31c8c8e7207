import Foundation
import Testing
import ThumbturnAudit
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnRules
import ThumbturnSQLite
import ThumbturnSimulator
import ThumbturnTestKit

@testable import Thumbturn

extension TestVault {
    /// The kinds in the current chain; what begins it stands first.
    func told() async throws -> [AuditEventKind] { try await vault.trail(limit: .max).map(\.kind) }

    /// The events in the current chain, without those that begin a chain.
    func events() async throws -> [AuditEntry] {
        try await vault.trail(limit: .max).filter { $0.kind != .trailBegun }
    }

    /// Why the current chain began.
    func beginning() async throws -> String? {
        let first = try #require(try await vault.trail(limit: 1).first)
        #expect(first.kind == .trailBegun && first.seq == 0)
        return first.reason
    }

    /// The trail's row as it is stored.
    func trailRow() throws -> TrailRow { try TrailRow(parsing: #require(contents().trail).body) }

    /// Exports the trail, and verifies it as an auditor would who knows the device's fingerprint.
    func export(former: Bool = false) async throws -> (summary: AuditSummary, bytes: [UInt8]) {
        let file = Collected()
        try await vault.exportTrail(try await strong(), former: former) { file.append($0) }
        return (try Self.verified(file.bytes), file.bytes)
    }

    static func verified(_ bytes: [UInt8]) throws -> AuditSummary {
        var pieces = [bytes][...]
        return try AuditVerifier.verify { () throws -> [UInt8]? in pieces.popFirst() }.get()
    }
}

extension Vault {
    /// The records of all chains that are kept, in order.
    func records() async throws(VaultError) -> [AuditRecord] {
        try await turn { (_) async throws(VaultError) -> [AuditRecord] in
            guard let row = trail.row else { return [] }
            var records: [AuditRecord] = []
            for epoch in row.chains {
                try trail.forEachRecord(of: epoch) { (record) throws(VaultError) in
                    records.append(record)
                    return true
                }
            }
            return records
        }
    }
}

/// Bytes that a closure collects.
final class Collected: @unchecked Sendable {
    // Safe to share: `lock` guards the one field.
    private let lock = NSLock()
    private var kept: [UInt8] = []

    func append(_ piece: [UInt8]) { lock.withLock { kept += piece } }

    var bytes: [UInt8] { lock.withLock { kept } }
}

extension SimulatedDevice {
    /// The items that a wallet's vault needs to open: all but the trail's secret and key, which a reset leaves.
    func itemNamesBesideTrail() throws -> [String] {
        try itemNames().filter { !$0.contains(".trail.") && !$0.contains(".device-key.") }
    }
}

extension VaultStore {
    /// How many records there are, of all chains.
    func events() throws -> Int64 { try database.rows("SELECT count(*) FROM event").first?.integer(0) ?? 0 }
}
